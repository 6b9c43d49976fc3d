/** Simulated time. All durations in the simulator are in simulated milliseconds. */
export interface Clock {
  readonly speed: number;
  now(): number;
  /** The time that charge points put in their messages. */
  stamp(): number;
  after(delayMs: number, run: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

export interface ClockOptions {
  /** 60 means that an hour passes in a minute. */
  speed?: number;
  /**
   * `simulated`: timestamps advance with simulated time, so that energy, power and time agree with each other but
   * differ from real time. `wall`: timestamps are real time, and a charge appears to be that much faster.
   */
  stamps?: 'simulated' | 'wall';
}

/** setTimeout accepts 31 bits; a longer delay would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export function createClock({ speed = 1, stamps = 'simulated' }: ClockOptions = {}): Clock {
  const begin = Date.now();
  const now = () => begin + (Date.now() - begin) * speed;
  return {
    speed,
    now,
    stamp: stamps === 'wall' ? () => Date.now() : now,
    after(delayMs, run) {
      const timeout = setTimeout(run, Math.min(delayMs / speed, MAX_TIMEOUT_MS));
      return { cancel: () => clearTimeout(timeout) };
    },
  };
}

/** A clock for tests that moves only when the test advances it. */
export function createManualClock(
  begin = Date.UTC(2026, 10, 15, 10),
): Clock & { advance(byMs: number): Promise<void> } {
  let now = begin;
  let waiting: { at: number; run: () => void }[] = [];
  return {
    speed: 1,
    now: () => now,
    stamp: () => now,
    after(delayMs, run) {
      const timer = { at: now + delayMs, run };
      waiting.push(timer);
      return {
        cancel() {
          waiting = waiting.filter((other) => other !== timer);
        },
      };
    },
    async advance(byMs) {
      const end = now + byMs;
      for (;;) {
        // A timer may start another one that is due in the same interval.
        await new Promise((resolve) => setImmediate(resolve));
        const next = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting = waiting.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
  };
}
