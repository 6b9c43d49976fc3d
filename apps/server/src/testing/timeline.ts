import type { Clock as SandboxClock } from '@fpay/sandbox/src/clock.ts';
import type { Clock as SimulatorClock } from '@fpay/simulator/src/clock.ts';
import type { Clock } from '../platform/clock.ts';

/**
 * At the real time `realAt` the timeline shows `at`, and it runs `speed` times as fast. This is enough for another
 * process to follow.
 */
export interface Pace {
  realAt: number;
  at: number;
  speed: number;
}

export type Timeline = ReturnType<typeof createTimeline>;

export interface PassedTime {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

/**
 * One clock for server, simulator and sandbox. It runs with real time, can be moved ahead, and can run faster or slower.
 */
export function createTimeline(first: Partial<Pace> = {}) {
  const realNow = first.realAt ?? Date.now();
  let pace: Pace = { realAt: realNow, at: first.at ?? realNow, speed: first.speed ?? 1 };
  const waiting = new Set<{ dueAt: number; run: () => void; timeout: NodeJS.Timeout }>();

  // Whole milliseconds, as every clock returns them.
  const now = () => Math.round(pace.at + (Date.now() - pace.realAt) * pace.speed);

  function after(ms: number, run: () => void): { cancel(): void } {
    const timer = { dueAt: now() + ms, run, timeout: setTimeout(() => fire(timer), ms / pace.speed) };
    waiting.add(timer);
    return {
      cancel() {
        waiting.delete(timer);
        clearTimeout(timer.timeout);
      },
    };
  }

  function fire(timer: { run: () => void }): void {
    waiting.delete(timer as never);
    timer.run();
  }

  /** Timers are scheduled again for the new speed. */
  function follow(next: Pace): void {
    pace = next;
    for (const timer of waiting) {
      clearTimeout(timer.timeout);
      timer.timeout = setTimeout(() => fire(timer), Math.max(0, timer.dueAt - now()) / pace.speed);
    }
  }

  return {
    now,
    follow,
    get pace(): Pace {
      return pace;
    },
    /** This much time has passed at once. What became due runs now, and nothing ran in between. */
    ahead({ days = 0, hours = 0, minutes = 0, seconds = 0 }: PassedTime): void {
      const passedMs = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
      follow({ realAt: Date.now(), at: now() + passedMs, speed: pace.speed });
    },
    setSpeed(speed: number): void {
      if (speed !== pace.speed) follow({ realAt: Date.now(), at: now(), speed });
    },
    server: {
      now: () => new Date(now()),
      after: (ms, run) => void after(ms, run),
    } satisfies Clock,
    simulator: {
      get speed() {
        return pace.speed;
      },
      now,
      stamp: now,
      after,
    } satisfies SimulatorClock,
    sandbox: {
      now,
      after: (ms, run) => after(ms, run).cancel,
    } satisfies SandboxClock,
  };
}
