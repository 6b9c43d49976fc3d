import type { PromotionItem } from '@fpay/contract/admin/network/promotions';

/** A part of a promotion in one week of the calendar. Columns are 0 (Monday) to 6. */
export interface Bar {
  promotion: PromotionItem;
  from: number;
  to: number;
  /** The first free line of the week. */
  line: number;
}

export interface CalendarWeek {
  /** `YYYY-MM-DD`, Monday first. */
  days: string[];
  bars: Bar[];
}

const dayMs = 24 * 3_600_000;
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** Days without a year come back each year; a window that ends before it begins runs over New Year. */
export function isOn({ days }: Pick<PromotionItem, 'days'>, day: string): boolean {
  if (days === null) return true;
  const today = day.slice('YYYY-'.length);
  return days.from <= days.to ? days.from <= today && today <= days.to : today >= days.from || today <= days.to;
}

/** The weeks that show a month (`YYYY-MM`), each with the bars of the promotions that run in it. */
export function calendarWeeks(month: string, promotions: readonly PromotionItem[]): CalendarWeek[] {
  const first = dateOf(`${month}-01`);
  const start = first.getTime() - ((first.getUTCDay() + 6) % 7) * dayMs;
  const weeks: CalendarWeek[] = [];
  for (let monday = start; ; monday += 7 * dayMs) {
    const days = Array.from({ length: 7 }, (_, index) => dayOf(new Date(monday + index * dayMs)));
    if (weeks.length > 0 && !days[0]?.startsWith(month)) return weeks;
    weeks.push({ days, bars: barsOf(days, promotions) });
  }
}

function barsOf(days: readonly string[], promotions: readonly PromotionItem[]): Bar[] {
  const bars: Bar[] = [];
  for (const promotion of promotions) {
    let from = -1;
    days.forEach((day, column) => {
      const isHere = isOn(promotion, day);
      if (isHere && from < 0) from = column;
      const isLast = isHere && (column === 6 || !isOn(promotion, days[column + 1] ?? ''));
      if (!isLast) return;
      const taken = bars.filter((bar) => bar.from <= column && from <= bar.to).map(({ line }) => line);
      let line = 0;
      while (taken.includes(line)) line += 1;
      bars.push({ promotion, from, to: column, line });
      from = -1;
    });
  }
  return bars;
}

export function monthAfter(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return dayOf(new Date(Date.UTC(year, number - 1 + by, 1))).slice(0, 7);
}

/** The place of a day in its year, from 0 to 1. Months are drawn equally wide, so this counts months and then days. */
export function placeInYear(day: string): number {
  const [year = 0, month = 1, number = 1] = day.split('-').map(Number);
  const daysOfMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return (month - 1 + (number - 1) / daysOfMonth) / 12;
}

/** Where a promotion runs in a year, as parts of the year's width. One over New Year has two. */
export function yearParts(year: number, promotion: Pick<PromotionItem, 'days'>): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  let from: number | null = null;
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += dayMs) {
    const day = dayOf(new Date(at));
    if (isOn(promotion, day)) from ??= placeInYear(day);
    else if (from !== null) {
      parts.push({ from, to: placeInYear(day) });
      from = null;
    }
  }
  return from === null ? parts : [...parts, { from, to: 1 }];
}
