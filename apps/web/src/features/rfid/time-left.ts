/** `1:58`. A phone whose clock runs behind must not promise more than a request ever has. */
export function timeLeft(until: string, nowMs: number): string {
  const seconds = Math.min(longestSeconds, Math.max(0, Math.ceil((Date.parse(until) - nowMs) / 1000)));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const longestSeconds = 120;
