import CircleAlert from 'lucide-react/icons/circle-alert';
import { useId } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { TermsLink } from './terms-link.tsx';

interface TermsConsentProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  error?: string | undefined;
}

export function TermsConsent({ checked, onChange, error }: TermsConsentProps) {
  const text = useText();
  const id = useId();
  return (
    <div>
      <div className="flex min-h-11 items-center gap-3">
        <input
          id={id}
          type="checkbox"
          checked={checked}
          onChange={({ target }) => onChange(target.checked)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          className="size-6 shrink-0 cursor-pointer accent-free-fill"
        />
        <p className="flex-1 text-label">
          <label htmlFor={id} className="cursor-pointer py-3">
            {text('auth:termsAtSignUp')}
          </label>{' '}
          <TermsLink />
        </p>
      </div>
      {error && (
        <p id={`${id}-note`} className="mt-1.5 flex items-start gap-2 text-small text-error">
          <CircleAlert aria-hidden="true" size={16} className="mt-px shrink-0" />
          {error}
        </p>
      )}
    </div>
  );
}
