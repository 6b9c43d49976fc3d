import Phone from 'lucide-react/icons/phone';
import { useText } from '../../i18n/use-text.ts';
import { useSettings } from '../settings/queries.ts';

/** The telephone of the network: for a driver who cannot wait for an answer. */
export function CallLink() {
  const text = useText();
  const { support_phone: phone } = useSettings();
  return (
    <a
      href={`tel:${phone}`}
      className="flex min-h-14 items-center justify-center gap-2.5 rounded-control bg-surface-2 px-5 text-button uppercase active:bg-line"
    >
      <Phone aria-hidden="true" size={20} />
      {text('support:call')}
    </a>
  );
}
