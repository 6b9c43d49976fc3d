const mostMinutes = 99;

/** Minutes rounded up, or hours above 99 minutes. */
export function chargeTimeLeft(seconds: number): { unit: 'minutes' | 'hours'; count: number } {
  const minutes = Math.ceil(seconds / 60);
  return minutes > mostMinutes
    ? { unit: 'hours', count: Math.round(minutes / 60) }
    : { unit: 'minutes', count: minutes };
}
