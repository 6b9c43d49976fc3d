import { useId } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { isRegistered, useUser } from '../account/queries.ts';
import { useSettings } from '../settings/queries.ts';

interface SaveCardConsentProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** The driver's consent that the bank saves the card. It is off at first, and absent where cards are not saved. */
export function SaveCardConsent({ checked, onChange }: SaveCardConsentProps) {
  const text = useText();
  const id = useId();
  const user = useUser();
  const { saved_cards: mode } = useSettings();
  if (mode === 'off' || !isRegistered(user)) return null;
  return (
    <div className="flex items-start gap-3 rounded-control bg-surface p-3.5 shadow-card">
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
          {text('payment:saveCard')}
        </label>
        <span id={`${id}-note`} className="block text-small text-ink-2">
          {text('payment:saveCardText')}
        </span>
      </p>
    </div>
  );
}
