const storageKey = 'fpay.season-seen';

/** The festive week: from 27 October to 2 November each year, in Kyiv time. */
export function isSeason(now: Date): boolean {
  // Creating a formatter for another time zone takes a slow phone a tenth of a second, so most of the year UTC decides.
  const [utcMonth, utcDay] = [now.getUTCMonth() + 1, now.getUTCDate()];
  if (!((utcMonth === 10 && utcDay >= 26) || (utcMonth === 11 && utcDay <= 2))) return false;
  const { month, day } = dateInKyiv(now);
  return (month === 10 && day >= 27) || (month === 11 && day <= 2);
}

/** The banner is shown once a year, because it would be annoying at each sign-in. */
export function isSeasonSeen(now: Date): boolean {
  return localStorage.getItem(storageKey) === String(dateInKyiv(now).year);
}

export function rememberSeason(now: Date): void {
  localStorage.setItem(storageKey, String(dateInKyiv(now).year));
}

function dateInKyiv(now: Date) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Europe/Kyiv',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const [year = 0, month = 0, day = 0] = format.format(now).split('-').map(Number);
  return { year, month, day };
}
