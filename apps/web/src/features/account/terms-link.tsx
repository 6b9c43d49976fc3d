import { useText } from '../../i18n/use-text.ts';
import { useSettings } from '../settings/queries.ts';

export function TermsLink() {
  const text = useText();
  const { terms_url } = useSettings();
  return (
    <a href={terms_url} target="_blank" rel="noreferrer" className="rounded-badge font-bold text-ink underline">
      {text('auth:termsLink')}
    </a>
  );
}
