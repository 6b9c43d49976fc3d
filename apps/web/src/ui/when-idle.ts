/** The first page is drawn and read by then, also over a slow network. */
const patienceMs = 6000;
const touches = ['pointerdown', 'keydown'] as const;

/**
 * Runs work that the first screen can do without, so that it does not compete with that screen for the network: when
 * the driver first touches the page, or after a while. Returns the way to call it off.
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
  const timer = setTimeout(begin, patienceMs);
  for (const touch of touches) addEventListener(touch, begin, true);
  return stop;
}
