import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useRef, useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { useNavigate } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { useBack } from '../../ui/overlay/use-back.ts';
import { useSettings } from '../settings/queries.ts';
import { useCamera } from './camera.ts';
import { NoCamera } from './no-camera.tsx';
import { NumberSheet } from './number-sheet.tsx';
import { useScan } from './scan.ts';
import { ScanTools } from './scan-tools.tsx';
import { addressIn } from './station-code.ts';
import { Viewfinder } from './viewfinder.tsx';

/** Leads from the code on a charger to its station. A driver without a camera types the number. */
export function Page() {
  const text = useText();
  const navigate = useNavigate();
  const goBack = useBack('/account');
  const { domain } = useSettings();
  const video = useRef<HTMLVideoElement>(null);
  const camera = useCamera(video);
  const [isTyping, setTyping] = useState(false);
  const isBroken = useScan(video, camera.state === 'live' && !isTyping, async (code) => {
    const address = addressIn(code, domain);
    if (address === null) {
      await notify(text('qr:notOurs'));
      return false;
    }
    // The station replaces the scanner in the history, so that going back leads to the page before the scanner.
    void navigate(address, { replace: true });
    return true;
  });

  const problem = isBroken ? 'broken' : camera.state;
  const isScanning = problem === 'live' || problem === 'starting';
  return (
    <div className="always-dark flex flex-1 flex-col px-4 text-center text-ink">
      <div aria-hidden="true" className="fixed inset-0 bg-bg">
        <video
          ref={video}
          autoPlay
          muted
          playsInline
          className={isScanning ? 'size-full animate-fade-in object-cover' : 'hidden'}
        />
        <div className="absolute inset-x-0 top-0 h-70 bg-linear-to-b from-bg to-transparent" />
        <div className="absolute inset-x-0 bottom-0 h-70 bg-linear-to-t from-bg to-transparent" />
      </div>
      <div className="relative flex flex-1 flex-col">
        {isScanning ? (
          <Viewfinder isLive={problem === 'live'} />
        ) : (
          <NoCamera problem={problem} onTry={camera.tryAgain} onType={() => setTyping(true)} />
        )}
      </div>
      <div className="relative flex flex-col gap-6 pb-dock">
        {isScanning && <ScanTools camera={camera} onType={() => setTyping(true)} />}
        <Button kind="stop" icon={<ArrowLeft aria-hidden="true" size={20} />} onPress={goBack}>
          {text('generic:back')}
        </Button>
      </div>
      <NumberSheet
        open={isTyping}
        onClose={() => setTyping(false)}
        onNumber={(number) => void navigate(`/station/${number}`, { replace: true })}
      />
    </div>
  );
}
