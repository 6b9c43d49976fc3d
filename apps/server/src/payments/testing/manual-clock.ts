/**
 * One clock for us and the bank: it does not move until the test moves it, and then everything due on the way runs in
 * order.
 */
export function createManualClock() {
  let now = Date.parse('2026-11-15T10:00:00Z');
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms: number) {
      now += ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
        if (!next) return;
        timers.delete(next);
        next.run();
      }
    },
  };
}
