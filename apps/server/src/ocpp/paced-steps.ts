import type { Steps } from '../platform/step.ts';

/**
 * Messages of thousands of devices wait here for their turn, not at the pool of connections: there they would be refused
 * after three seconds, and everything else of the process with them.
 */
export function pacedSteps(steps: Steps, most: number): Steps {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The turn is handed on, so nobody can slip in between.
      if (next) next();
      else running -= 1;
    }
  }

  return {
    run: (work) => inTurn(() => steps.run(work)),
    alone: (statement) => inTurn(() => steps.alone(statement)),
  };
}
