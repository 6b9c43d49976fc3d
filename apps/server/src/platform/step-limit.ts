import type { Steps } from './step.ts';

/**
 * Messages of thousands of devices wait here for their turn and not for a connection of the pool, because there they
 * would be refused after three seconds together with everything else in the process.
 */
export function limitSteps(steps: Steps, most: number): Steps {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The turn is passed on directly, so that no other step can take it in between.
      if (next) next();
      else running -= 1;
    }
  }

  return {
    run: (work) => inTurn(() => steps.run(work)),
    single: (statement) => inTurn(() => steps.single(statement)),
  };
}
