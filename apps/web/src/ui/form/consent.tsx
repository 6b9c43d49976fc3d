import { useId } from 'react';

interface ConsentProps {
  label: string;
  /** What it means, read together with the label. */
  note: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A box that the driver ticks to agree to something, with an explanation. */
export function Consent({ label, note, checked, onChange }: ConsentProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3 rounded-control bg-surface px-3.5 py-3 shadow-card">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        aria-describedby={`${id}-note`}
        className="mt-0.5 size-6 shrink-0 cursor-pointer accent-free-fill"
      />
      <p className="min-w-0 flex-1">
        <label htmlFor={id} className="block cursor-pointer text-label">
          {label}
        </label>
        <span id={`${id}-note`} className="block text-small text-ink-2">
          {note}
        </span>
      </p>
    </div>
  );
}
