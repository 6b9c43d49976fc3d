import { type RefObject, useEffect, useState } from 'react';
import { useOnChange } from '../../ui/hooks/use-on-change.ts';

/** `refused`: the driver or the browser denied access. `busy`: another app uses the camera. */
export type CameraState = 'starting' | 'live' | 'refused' | 'missing' | 'busy';

export interface Camera {
  id: string;
  /** Empty until the driver has given permission. */
  label: string;
}

// Not in the type library, because only some phones have a torch.
interface TorchCapabilities extends MediaTrackCapabilities {
  torch?: boolean;
}
interface TorchConstraints extends MediaTrackConstraintSet {
  torch: boolean;
}

/** Shows a camera in the video element while the page is visible. */
export function useCamera(video: RefObject<HTMLVideoElement | null>) {
  const [state, setState] = useState<CameraState>('starting');
  const [cameras, setCameras] = useState<Camera[]>([]);
  /** Null means the browser's choice of a rear camera. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const [isTorchOn, setTorchOn] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const isSeen = useIsSeen();

  // Another attempt starts the camera again.
  useOnChange([chosen, attempt, isSeen, video], () => {
    if (!isSeen) return;
    let stream: MediaStream | null = null;
    let isOver = false;
    setState('starting');
    setTorchOn(false);
    open().catch((error: unknown) => isOver || setState(problemOf(error)));
    return () => {
      isOver = true;
      stop(stream);
      setTrack(null);
    };

    async function open(): Promise<void> {
      const opened = await navigator.mediaDevices.getUserMedia(wishes(chosen));
      if (isOver) return stop(opened);
      stream = opened;
      const [opener = null] = opened.getVideoTracks();
      opener?.addEventListener('ended', () => isOver || setState('missing'));
      if (video.current) video.current.srcObject = opened;
      // The browser reveals labels only after permission.
      const found = await listCameras();
      if (isOver) return;
      setCameras(found);
      setTrack(opener);
      setState('live');
    }
  });

  return {
    state,
    cameras,
    chosen: chosen ?? track?.getSettings().deviceId ?? null,
    choose: setChosen,
    tryAgain: () => setAttempt((count) => count + 1),
    hasTorch: (track?.getCapabilities?.() as TorchCapabilities | undefined)?.torch === true,
    isTorchOn,
    async switchTorch() {
      const torch: TorchConstraints = { torch: !isTorchOn };
      await track?.applyConstraints({ advanced: [torch] }).then(
        () => setTorchOn(!isTorchOn),
        // The light stays as it was, and so does the button.
        () => undefined,
      );
    },
  };
}

function wishes(chosen: string | null): MediaStreamConstraints {
  const which = chosen ? { deviceId: { exact: chosen } } : { facingMode: 'environment' };
  return { audio: false, video: { ...which, width: { ideal: 1280 }, height: { ideal: 720 } } };
}

async function listCameras(): Promise<Camera[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind }) => kind === 'videoinput').map(({ deviceId, label }) => ({ id: deviceId, label }));
}

function stop(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** Without https browsers have no camera API, which causes a TypeError. */
function problemOf(error: unknown): CameraState {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'missing';
}

/** A camera that runs in the background would heat the phone. */
function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setSeen(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}
