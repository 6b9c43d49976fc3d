import type { Steps } from './step.ts';

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** At most so many works run at a time; the others wait in the order in which they came. */
export function createTurns(most: number): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The turn is passed on directly, so that no other work can take it in between.
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * Messages of thousands of devices wait here for their turn and not for a connection of the pool, because there they
 * would be refused after three seconds together with everything else in the process.
 */
export function limitSteps(steps: Steps, most: number): Steps {
  const inTurn = createTurns(most);
  return {
    run: (work) => inTurn(() => steps.run(work)),
    single: (statement) => inTurn(() => steps.single(statement)),
  };
}
