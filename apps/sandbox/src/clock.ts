/** The sandbox's clock. Tests pass their own, so that nine days pass without waiting. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** The longest delay of a Node timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longestTimerMs));
    // A timer must not keep a stopping process alive, because due work is in the database.
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export interface ManualClock extends Clock {
  /** Moves time forward at once, as after a laptop's sleep; every timer that is due by then runs in order. */
  advance(ms: number): void;
}

export function createManualClock(start = Date.parse('2026-11-15T10:00:00Z')): ManualClock {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.at <= now).sort((a, b) => a.at - b.at);
        if (!next) return;
        timers.delete(next);
        next.run();
      }
    },
  };
}
