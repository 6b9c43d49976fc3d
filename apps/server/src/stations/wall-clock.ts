/** A moment as a clock and a calendar on a wall in Kyiv show it. */
export interface WallClock {
  /** `YYYY-MM-DD`. */
  day: string;
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** 0 to 23. On the day the clocks go back, one of them comes twice. */
  hour: number;
}

const format = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Kyiv',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
});

export function wallClock(at: Date): WallClock {
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = `${parts.year}-${parts.month}-${parts.day}`;
  // The date is already Kyiv's, so its weekday is read as if it were UTC's: no second conversion.
  const sundayFirst = new Date(`${day}T00:00:00Z`).getUTCDay();
  return { day, weekday: sundayFirst === 0 ? 7 : sundayFirst, hour: Number(parts.hour) };
}
