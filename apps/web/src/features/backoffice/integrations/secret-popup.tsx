import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { CopyButton } from '../network/charge-points/copy-button.tsx';

export interface ShownSecret {
  title: string;
  fields: { label: string; value: string }[];
}

/** A key, a secret or a token, which is shown here and never again. */
export function SecretPopup({ secret, onClose }: { secret: ShownSecret; onClose: () => void }) {
  const text = useText();
  return (
    <PopupFrame open onClose={onClose} title={secret.title} titleClassName="text-h2">
      <p className="-mt-3 text-note text-ink-2">{text('integrations:shownOnce')}</p>
      <dl className="flex flex-col gap-3">
        {secret.fields.map(({ label, value }) => (
          <div key={label}>
            <dt className="text-small text-ink-2">{label}</dt>
            <dd className="flex items-center gap-3">
              <span className="min-w-0 flex-1 font-mono text-note break-all select-all">{value}</span>
              <CopyButton value={value} label={text('network:copy')} />
            </dd>
          </div>
        ))}
      </dl>
      <Button kind="main" onPress={onClose}>
        {text('integrations:saved')}
      </Button>
    </PopupFrame>
  );
}
