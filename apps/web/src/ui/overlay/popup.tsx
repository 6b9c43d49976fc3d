import { useText } from '../../i18n/use-text.ts';
import { MainButton } from '../form/main-button.tsx';
import { PopupFrame } from './popup-frame.tsx';

interface PopupProps {
  open: boolean;
  onClose: () => void;
  /** By default the text is: are you sure? */
  message?: string | undefined;
}

/** A message with a single OK; a press outside does the same. */
export function Popup({ open, onClose, message }: PopupProps) {
  const text = useText();
  const shown = message ?? text('generic:youSure');
  return (
    <PopupFrame open={open} onClose={onClose} title={shown} titleClassName={textSize(shown)}>
      <MainButton size="m" onPress={onClose}>
        {text('generic:ok')}
      </MainButton>
    </PopupFrame>
  );
}

/** The longer the message, the smaller its text, in three steps. */
export function textSize(message: string): string {
  if (message.length < 30) return 'text-h2';
  return message.length < 100 ? 'text-body' : 'text-label font-medium leading-[1.375rem]';
}
