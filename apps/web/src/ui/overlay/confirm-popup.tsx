import { useText } from '../../i18n/use-text.ts';
import { Button, type ButtonKind } from '../form/button.tsx';
import { PopupFrame } from './popup-frame.tsx';

export interface ConfirmQuestion {
  /** By default: are you sure? */
  title?: string;
  /** The exact effect, with money and energy where there is any. */
  effect?: string;
  confirmLabel?: string;
  cancelLabel?: string;
  kind?: Extract<ButtonKind, 'main' | 'stop' | 'danger'>;
}

interface ConfirmPopupProps extends ConfirmQuestion {
  open: boolean;
  onAnswer: (confirmed: boolean) => void;
}

/** A confirmation of an action that cannot be undone. Closing it any other way means no. */
export function ConfirmPopup({
  open,
  onAnswer,
  title,
  effect,
  confirmLabel,
  cancelLabel,
  kind = 'main',
}: ConfirmPopupProps) {
  const text = useText();
  return (
    <PopupFrame
      open={open}
      onClose={() => onAnswer(false)}
      title={title ?? text('generic:youSure')}
      titleClassName="text-h2"
    >
      {effect && <p className="-mt-3 text-body text-ink-2">{effect}</p>}
      <div className="flex flex-col gap-2">
        <Button kind={kind} onPress={() => onAnswer(true)}>
          {confirmLabel ?? text('generic:yes')}
        </Button>
        <Button onPress={() => onAnswer(false)}>{cancelLabel ?? text('generic:no')}</Button>
      </div>
    </PopupFrame>
  );
}
