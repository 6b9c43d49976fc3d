/** By then the first page is shown and read, also over a slow network. */
const longestDelayMs = 6000;
const touches = ['pointerdown', 'keydown'] as const;

/**
 * Runs work that the first screen does not need, so that it does not compete with that screen for the network: at the
 * first touch, or after a while. Returns the function that cancels it.
 */
export function whenIdle(work: () => unknown): () => void {
  function stop(): void {
    clearTimeout(timer);
    for (const touch of touches) removeEventListener(touch, begin, true);
  }
  function begin(): void {
    stop();
    work();
  }
  const timer = setTimeout(begin, longestDelayMs);
  for (const touch of touches) addEventListener(touch, begin, true);
  return stop;
}
