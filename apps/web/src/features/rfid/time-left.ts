/** `1:58`. Limited to the full duration of a request, because the phone's clock may be behind. */
export function bindTimeLeft(until: string, nowMs: number): string {
  const seconds = Math.min(longestSeconds, Math.max(0, Math.ceil((Date.parse(until) - nowMs) / 1000)));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const longestSeconds = 120;
