import Flashlight from 'lucide-react/icons/flashlight';
import FlashlightOff from 'lucide-react/icons/flashlight-off';
import Keyboard from 'lucide-react/icons/keyboard';
import SwitchCamera from 'lucide-react/icons/switch-camera';
import { useText } from '../../i18n/use-text.ts';
import type { useCamera } from './camera.ts';

const look = 'grid size-14 place-items-center rounded-control bg-surface-2/90 text-ink active:bg-line';

interface ScanToolsProps {
  camera: ReturnType<typeof useCamera>;
  onType: () => void;
}

/** Light and choice of camera where the phone has them, and the way without a code. */
export function ScanTools({ camera, onType }: ScanToolsProps) {
  const text = useText();
  const { hasTorch, isTorchOn, switchTorch } = camera;
  return (
    <div className="flex justify-center gap-3">
      {hasTorch && (
        <button
          type="button"
          aria-label={text('qr:torch')}
          aria-pressed={isTorchOn}
          onClick={switchTorch}
          className={`${look} aria-pressed:bg-accent aria-pressed:text-on-accent`}
        >
          {isTorchOn ? <FlashlightOff aria-hidden="true" size={24} /> : <Flashlight aria-hidden="true" size={24} />}
        </button>
      )}
      {camera.cameras.length > 1 && <CameraChoice camera={camera} />}
      <button type="button" aria-label={text('qr:typeNumber')} onClick={onType} className={look}>
        <Keyboard aria-hidden="true" size={24} />
      </button>
    </div>
  );
}

/** An icon over the phone's own list of cameras. */
function CameraChoice({ camera: { cameras, chosen, choose } }: { camera: ScanToolsProps['camera'] }) {
  const text = useText();
  return (
    <span
      className={`relative ${look} has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus`}
    >
      <SwitchCamera aria-hidden="true" size={24} />
      <select
        aria-label={text('qr:camera')}
        value={chosen ?? ''}
        onChange={({ target }) => choose(target.value)}
        className="absolute inset-0 w-full cursor-pointer appearance-none bg-transparent text-transparent outline-none"
      >
        {cameras.map(({ id, label }, index) => (
          <option key={id} value={id} className="bg-surface text-ink">
            {label || text('qr:cameraNumber', { number: index + 1 })}
          </option>
        ))}
      </select>
    </span>
  );
}
