export const reportPeriods = ['week', 'fortnight', 'month', 'lastMonth'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

const dayMs = 24 * 3_600_000;
/** The Swedish locale writes dates in the ISO form; the network's days are those of Kyiv. */
const dayFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Kyiv', dateStyle: 'short' });

/** The first and the last day, both included. */
export function reportDays(period: ReportPeriod, now: number): { from: string; to: string } {
  const today = dayFormat.format(now);
  const back = (days: number) => new Date(Date.parse(`${today}T12:00:00Z`) - days * dayMs).toISOString().slice(0, 10);
  if (period === 'week') return { from: back(6), to: today };
  if (period === 'fortnight') return { from: back(13), to: today };
  const first = `${today.slice(0, 8)}01`;
  if (period === 'month') return { from: first, to: today };
  const last = new Date(Date.parse(`${first}T12:00:00Z`) - dayMs).toISOString().slice(0, 10);
  return { from: `${last.slice(0, 8)}01`, to: last };
}
