import { useLanguage } from '../../i18n/use-text.ts';
import { formatInstant } from './number-format.ts';

const forms = {
  time: { hour: '2-digit', minute: '2-digit' },
  date: { day: 'numeric', month: 'long' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  dateTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  exact: { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** In another year: no longer than in this one, because lists have columns for it. */
const withYear = {
  ...forms,
  date: { ...forms.date, year: 'numeric' },
  dateTime: { day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  exact: { ...forms.exact, year: 'numeric' },
} as const satisfies Record<keyof typeof forms, Intl.DateTimeFormatOptions>;

interface DateTimeProps {
  instant: string;
  form?: keyof typeof forms;
}

/** Formats an instant; every instant on a page uses it. The year is shown when it is not this one. */
export function DateTime({ instant, form = 'dateTime' }: DateTimeProps) {
  const language = useLanguage();
  const isThisYear = yearOf(instant) === yearOf(new Date().toISOString());
  return (
    <time dateTime={instant} className="tabular whitespace-nowrap">
      {formatInstant(instant, (isThisYear ? forms : withYear)[form], language)}
    </time>
  );
}

const yearOf = (instant: string) => formatInstant(instant, { year: 'numeric' }, 'en');
