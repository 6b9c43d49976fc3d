import type { Language } from '@fpay/contract/person';
import type { ReactNode } from 'react';
import { text } from '../../i18n/i18n.ts';
import { useLanguage } from '../../i18n/use-text.ts';
import { formatInstant } from './number-format.ts';
import { kyivDay } from './period.ts';

const dayMs = 24 * 3_600_000;

interface DaysProps<Item extends { date: string }> {
  /** In the order of display. */
  items: readonly Item[];
  children: (items: Item[], day: string) => ReactNode;
}

/** A list divided into days, each under its name. */
export function Days<Item extends { date: string }>({ items, children }: DaysProps<Item>) {
  const language = useLanguage();
  const days = new Map<string, Item[]>();
  for (const item of items) days.set(item.date, [...(days.get(item.date) ?? []), item]);
  return Array.from(days, ([date, ofDay]) => {
    const name = dayName(date, new Date(), language);
    return (
      <section key={date} className="flex flex-col gap-2">
        <h2 className="px-1 text-note font-bold text-ink-2">{name}</h2>
        {children(ofDay, name)}
      </section>
    );
  });
}

/** Today, yesterday, or the date; with its year when it is another year. */
export function dayName(date: string, now: Date, language?: Language): string {
  const today = kyivDay(now);
  if (date === today) return text('generic:today');
  if (date === kyivDay(new Date(Date.parse(`${today}T12:00:00Z`) - dayMs))) return text('generic:yesterday');
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return formatInstant(
    `${date}T12:00:00Z`,
    { day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' }) },
    language,
  );
}
