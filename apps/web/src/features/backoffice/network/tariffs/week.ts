import type { HoursRow, TariffTerms } from '@fpay/contract/admin/network/tariffs';
import { kopecks } from '@fpay/contract/money';

/** Kopecks of each hour of each day, Monday first. */
export type Week = readonly (readonly number[])[];

/** Days (1 is Monday) and hours that were marked; `to` is exclusive. */
export interface Selection {
  days: readonly number[];
  from: number;
  to: number;
}

const daysOfWeek = [1, 2, 3, 4, 5, 6, 7] as const;
const hoursOfDay = Array.from({ length: 24 }, (_, hour) => hour);

export const hourText = (hour: number) => String(hour).padStart(2, '0');
/** Both ends belong to it. */
export const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

export function weekOf({ price, hours }: Pick<TariffTerms, 'price' | 'hours'>): Week {
  return daysOfWeek.map((day) =>
    hoursOfDay.map(
      (hour) =>
        // The first matching row applies, as on the server.
        hours?.find(({ weekdays, from, to }) => weekdays.includes(day) && from <= hour && hour < to)?.price ?? price,
    ),
  );
}

export function withPrice(week: Week, { days, from, to }: Selection, price: number): Week {
  return week.map((day, index) =>
    days.includes(index + 1) ? day.map((old, hour) => (from <= hour && hour < to ? price : old)) : day,
  );
}

export interface Block {
  from: number;
  to: number;
  price: number;
}

/** Equal neighbours are one block. */
export function blocksOf(day: readonly number[]): Block[] {
  const blocks: Block[] = [];
  day.forEach((price, hour) => {
    const last = blocks.at(-1);
    if (last?.price === price) last.to = hour + 1;
    else blocks.push({ from: hour, to: hour + 1, price });
  });
  return blocks;
}

/** The rows of a tariff: blocks that differ from the usual price, with the days that share them. */
export function rowsOf(week: Week, usual: number): HoursRow[] {
  const rows = new Map<string, HoursRow>();
  week.forEach((day, index) => {
    for (const { from, to, price } of blocksOf(day)) {
      if (price === usual) continue;
      const key = `${from}-${to}-${price}`;
      const row = rows.get(key);
      if (row) row.weekdays.push(index + 1);
      else rows.set(key, { weekdays: [index + 1], from, to, price: kopecks(price) });
    }
  });
  return [...rows.values()];
}

/** The price of the most hours; the other hours become rows. */
export function usualOf(week: Week): number {
  const counts = new Map<number, number>();
  for (const price of week.flat()) counts.set(price, (counts.get(price) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}
