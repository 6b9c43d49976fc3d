import { useText } from '../../../../i18n/use-text.ts';
import { CopyButton } from '../../parts/copy-button.tsx';

export interface SecretField {
  label: string;
  value: string;
}

/** Values to write down or copy, each selected as a whole. */
export function SecretFields({ fields }: { fields: SecretField[] }) {
  const text = useText();
  return (
    <dl className="flex flex-col gap-3">
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-small text-ink-2">{label}</dt>
          <dd className="flex items-center gap-3">
            <span className="min-w-0 flex-1 font-mono text-note break-all select-all">{value}</span>
            <CopyButton value={value} label={text('admin:copy')} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
