import { useLanguage } from '../../i18n/use-text.ts';
import { formatInstant } from './number-format.ts';

const forms = {
  time: { hour: '2-digit', minute: '2-digit' },
  date: { day: 'numeric', month: 'long' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  dateTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  exact: { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

interface DateTimeProps {
  instant: string;
  form?: keyof typeof forms;
}

/** Formats an instant; every instant on a page uses it. */
export function DateTime({ instant, form = 'dateTime' }: DateTimeProps) {
  const language = useLanguage();
  return (
    <time dateTime={instant} className="tabular whitespace-nowrap">
      {formatInstant(instant, forms[form], language)}
    </time>
  );
}
