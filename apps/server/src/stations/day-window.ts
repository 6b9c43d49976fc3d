/** From one day to another, both included. `MM-DD` comes back each year, `YYYY-MM-DD` does not. */
export interface DayWindow {
  from: string;
  to: string;
}

export function isWithin(day: string, { from, to }: DayWindow): boolean {
  const isYearly = from.length === 'MM-DD'.length;
  const today = isYearly ? day.slice('YYYY-'.length) : day;
  // Texts of one form compare as dates do. A yearly window that ends before it begins runs over New Year.
  return isYearly && from > to ? today >= from || today <= to : today >= from && today <= to;
}
