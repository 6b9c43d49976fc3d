/** Drivers read dates and times as their wall clock shows them, wherever the server stands. */
const zone = 'Europe/Kyiv';

// Swedish writes dates the ISO way, which spares putting the parts together by hand.
const dateFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
const timeFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, timeStyle: 'short' });

/** `YYYY-MM-DD` */
export function kyivDate(instant: Date): string {
  return dateFormat.format(instant);
}

/** `HH:mm` */
export function kyivTime(instant: Date): string {
  return timeFormat.format(instant);
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
