/** Drivers read dates and times of their own clock, wherever the server runs. */
export const kyivZone = 'Europe/Kyiv';

// The Swedish locale writes dates in the ISO form.
const dateFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: kyivZone, dateStyle: 'short' });
const secondsFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: kyivZone, timeStyle: 'medium' });
const timeFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: kyivZone, timeStyle: 'short' });

/** `YYYY-MM-DD` */
export function kyivDate(instant: Date): string {
  return dateFormat.format(instant);
}

/** `HH:mm` */
export function kyivTime(instant: Date): string {
  return timeFormat.format(instant);
}

/** `HH:mm:ss` */
export function kyivTimeWithSeconds(instant: Date): string {
  return secondsFormat.format(instant);
}

/** The instant at which the Kyiv day of `instant` began. */
export function kyivDayStart(instant: Date): Date {
  const midnight = new Date(`${kyivDate(instant)}T00:00:00Z`);
  // Kyiv is two or three hours ahead; one of the two lands on 00:00 of the same day.
  for (const hours of [3, 2]) {
    const start = new Date(midnight.getTime() - hours * 3_600_000);
    if (kyivDate(start) === kyivDate(instant) && kyivTime(start) === '00:00') return start;
  }
  return midnight;
}

/** A moment as a clock and a calendar in Kyiv show it. */
export interface WallClock {
  /** `YYYY-MM-DD`. */
  day: string;
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** 0 to 23. On the day the clocks go back, one of them occurs twice. */
  hour: number;
}

const partsFormat = new Intl.DateTimeFormat('en-CA', {
  timeZone: kyivZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
});

export function wallClock(at: Date): WallClock {
  const parts = Object.fromEntries(partsFormat.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = `${parts.year}-${parts.month}-${parts.day}`;
  // The date is already that of Kyiv, so its weekday is read as UTC without a second conversion.
  const sundayFirst = new Date(`${day}T00:00:00Z`).getUTCDay();
  return { day, weekday: sundayFirst === 0 ? 7 : sundayFirst, hour: Number(parts.hour) };
}
