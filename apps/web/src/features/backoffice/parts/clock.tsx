import { useLanguage } from '../../../i18n/use-text.ts';
import { formatInstant } from '../../../ui/format/number-format.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';

/** The present date and time, to the second. */
export function StaffClock() {
  const now = new Date(useNow(1000)).toISOString();
  const language = useLanguage();
  return (
    <span className="tabular">
      {formatInstant(now, { weekday: 'long', day: 'numeric', month: 'long' }, language)} ·{' '}
      {formatInstant(now, { hour: '2-digit', minute: '2-digit', second: '2-digit' }, language)}
    </span>
  );
}
