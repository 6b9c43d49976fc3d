import { type RefObject, useEffect, useState } from 'react';

/** `refused`: the driver or the browser said no. `busy`: another app holds it. */
export type CameraState = 'starting' | 'live' | 'refused' | 'missing' | 'busy';

export interface Camera {
  id: string;
  /** Empty until the driver allowed the camera. */
  label: string;
}

// Not in the type library: only some phones have one.
interface TorchCapabilities extends MediaTrackCapabilities {
  torch?: boolean;
}
interface TorchConstraints extends MediaTrackConstraintSet {
  torch: boolean;
}

/** Shows a camera in the video element for as long as somebody looks at the page. */
export function useCamera(video: RefObject<HTMLVideoElement | null>) {
  const [state, setState] = useState<CameraState>('starting');
  const [cameras, setCameras] = useState<Camera[]>([]);
  /** Null: the browser's choice of those that look away from the driver. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const [isTorchOn, setTorchOn] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const isSeen = useIsSeen();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew.
  useEffect(() => {
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
      // Labels are told only to whom the camera is.
      const found = await listCameras();
      if (isOver) return;
      setCameras(found);
      setTrack(opener);
      setState('live');
    }
  }, [chosen, attempt, isSeen, video]);

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
        // It stays as it was, and so does the button.
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

/** Without https browsers hide the cameras altogether: then there is nothing to ask, which is a TypeError. */
function problemOf(error: unknown): CameraState {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'missing';
}

/** A camera that nobody looks through warms the phone for nothing. */
function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setSeen(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}
