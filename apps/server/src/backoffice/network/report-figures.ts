/** Calculations of a station's report. This file is pure. */

export interface TimeSpan {
  from: number;
  to: number;
}

const hourMs = 3_600_000;

export function overlapMs(one: TimeSpan, other: TimeSpan): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}

export const quotient = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/** The time within a span, summed over all. */
export function busyMs(spans: readonly TimeSpan[], within: TimeSpan): number {
  return spans.reduce((sum, span) => sum + overlapMs(span, within), 0);
}

/**
 * How much of each hour of the week connectors were in use. `slotOf` gives weekday (1 is Monday) and hour of an instant;
 * both change only at whole hours.
 */
export function busyByHour(
  spans: readonly TimeSpan[],
  period: TimeSpan,
  connectors: number,
  slotOf: (at: number) => { weekday: number; hour: number },
): (number | null)[][] {
  const busy = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
  const whole = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
  const ordered = spans.toSorted((one, other) => one.from - other.from);
  for (let at = period.from; at < period.to; at += hourMs) {
    const hour = { from: at, to: Math.min(at + hourMs, period.to) };
    const slot = slotOf(at);
    const [busyDay, wholeDay] = [busy[slot.weekday - 1], whole[slot.weekday - 1]];
    if (!busyDay || !wholeDay) continue;
    wholeDay[slot.hour] = (wholeDay[slot.hour] ?? 0) + (hour.to - hour.from) * connectors;
    for (const span of ordered) {
      if (span.from >= hour.to) break;
      busyDay[slot.hour] = (busyDay[slot.hour] ?? 0) + overlapMs(span, hour);
    }
  }
  return busy.map((day, weekday) => day.map((ms, hour) => quotient(ms, whole[weekday]?.[hour] ?? 0)));
}
