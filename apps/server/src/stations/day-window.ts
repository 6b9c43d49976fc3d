/** From one day to another, both included. `MM-DD` repeats each year, `YYYY-MM-DD` does not. */
export interface DayWindow {
  from: string;
  to: string;
}

export function isWithinWindow(day: string, { from, to }: DayWindow): boolean {
  const isYearly = from.length === 'MM-DD'.length;
  const today = isYearly ? day.slice('YYYY-'.length) : day;
  // Texts of the same form compare like dates. A yearly window that ends before it begins spans New Year.
  return isYearly && from > to ? today >= from || today <= to : today >= from && today <= to;
}
