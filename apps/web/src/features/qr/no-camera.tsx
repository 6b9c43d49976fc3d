import CameraOff from 'lucide-react/icons/camera-off';
import Keyboard from 'lucide-react/icons/keyboard';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import type { CameraState } from './camera.ts';

/** `broken`: the code reader could not be loaded. */
export type CameraProblem = Exclude<CameraState, 'starting' | 'live'> | 'broken';

const words = {
  refused: { title: 'qr:refused', text: 'qr:refusedText' },
  missing: { title: 'qr:missing', text: 'qr:missingText' },
  busy: { title: 'qr:busy', text: 'qr:busyText' },
  broken: { title: 'generic:noConnection', text: 'qr:brokenText' },
} as const satisfies Record<CameraProblem, { title: TextKey; text: TextKey }>;

/** Explains why there is no picture, and offers the number instead. */
export function NoCamera({
  problem,
  onTry,
  onType,
}: {
  problem: CameraProblem;
  onTry: () => void;
  onType: () => void;
}) {
  const text = useText();
  return (
    <>
      <div className="flex flex-1 flex-col items-center justify-center py-6">
        <span
          aria-hidden="true"
          className="grid size-30 place-items-center rounded-full bg-occupied-tint text-occupied"
        >
          <CameraOff size={52} strokeWidth={1.5} />
        </span>
        <div role="status">
          <h1 className="mt-6 text-h1 text-balance">{text(words[problem].title)}</h1>
        </div>
        <p className="mt-2 max-w-[22rem] text-body text-ink-2 text-pretty">{text(words[problem].text)}</p>
      </div>
      <div className="flex flex-col gap-2 pb-2">
        <MainButton icon={<Keyboard aria-hidden="true" size={20} />} onPress={onType}>
          {text('qr:typeNumber')}
        </MainButton>
        <Button onPress={onTry}>{text('generic:tryAgain')}</Button>
      </div>
    </>
  );
}
