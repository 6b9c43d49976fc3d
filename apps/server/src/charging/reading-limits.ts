/** A device that does not say how often it reads its meter. */
const usualSampleSeconds = 60;

/** Readings may be late by a part of their interval; five intervals without one are no accident. */
const stale = { intervals: 2.5, leastSeconds: 30 };
const silent = { intervals: 5, leastSeconds: 60 };

export interface ReadingLimits {
  staleAfter: number;
  silentAfter: number;
}

/**
 * After how many seconds without a reading its power says nothing about the present, and after how many the station does not
 * answer. A device with rare readings gets more time.
 */
export function readingLimitsOf(sampleSeconds: number | null): ReadingLimits {
  // An interval of 0 switches the readings off, so it counts as unknown.
  const interval = sampleSeconds || usualSampleSeconds;
  const after = ({ intervals, leastSeconds }: typeof stale) => Math.max(leastSeconds, Math.ceil(intervals * interval));
  return { staleAfter: after(stale), silentAfter: after(silent) };
}

/** The interval as the device has reported its setting; null when it did not, or not as a number. */
export function sampleSecondsOf(setting: string | null): number | null {
  return setting !== null && /^\d{1,5}$/.test(setting) ? Number(setting) : null;
}
