import type { BankApi } from '../bank.ts';
import type { MoneyFixture } from './money.ts';

/** Waits for `point` after everything that outlives a crash; work between two points leaves no trace. */
export function withPoints<P extends { steps: MoneyFixture['steps']; bank: BankApi }>(
  { steps, bank }: P,
  point: (name: string) => unknown,
) {
  return {
    steps: {
      run: async <T>(work: Parameters<MoneyFixture['steps']['run']>[0]): Promise<T> => {
        const result = await steps.run(work);
        await point('commit');
        return result as T;
      },
    } as MoneyFixture['steps'],
    bank: new Proxy(bank, {
      get(target, name: keyof BankApi) {
        if (typeof target[name] !== 'function') return target[name];
        return async (...args: unknown[]) => {
          const answer = await (target[name] as (...given: unknown[]) => Promise<unknown>)(...args);
          await point(`bank.${name}`);
          return answer;
        };
      },
    }),
  };
}
