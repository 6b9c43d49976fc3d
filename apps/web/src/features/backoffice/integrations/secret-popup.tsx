import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { type SecretField, SecretFields } from '../network/charge-points/secret-fields.tsx';

export interface ShownSecret {
  title: string;
  fields: SecretField[];
}

/** A key, a secret or a token, which is shown here and never again. */
export function SecretPopup({ secret, onClose }: { secret: ShownSecret; onClose: () => void }) {
  const text = useText();
  return (
    <PopupFrame open onClose={onClose} title={secret.title} titleClassName="text-h2">
      <p className="-mt-3 text-note text-ink-2">{text('integrations:shownOnce')}</p>
      <SecretFields fields={secret.fields} />
      <Button kind="main" onPress={onClose}>
        {text('integrations:saved')}
      </Button>
    </PopupFrame>
  );
}
