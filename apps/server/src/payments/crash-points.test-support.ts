import type { Bank } from './bank.ts';
import type { Money } from './money.test-support.ts';

/** Calls `point` after everything that outlives a crash; what comes before the next of them leaves no trace. */
export function withPoints<P extends { steps: Money['steps']; bank: Bank }>(
  { steps, bank }: P,
  point: (name: string) => void,
) {
  return {
    steps: {
      run: async <T>(work: Parameters<Money['steps']['run']>[0]): Promise<T> => {
        const result = await steps.run(work);
        point('commit');
        return result as T;
      },
    } as Money['steps'],
    bank: new Proxy(bank, {
      get(target, name: keyof Bank) {
        return async (...args: unknown[]) => {
          const answer = await (target[name] as (...given: unknown[]) => Promise<unknown>)(...args);
          point(`bank.${name}`);
          return answer;
        };
      },
    }),
  };
}
