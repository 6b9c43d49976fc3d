import { addOperation } from '../operation.ts';
import { startStack } from '../stack.ts';
import { type FuzzFault, type FuzzOptions, fuzz } from './run.ts';

/**
 * A server with a bank, stations, operations and users, called by the fuzzer. `FUZZ_SEED` replaces the seed, which is printed, so that
 * a failure can be repeated.
 */
export async function fuzzStack(options: Omit<FuzzOptions, 'known'>): Promise<{ calls: number; faults: FuzzFault[] }> {
  const seed = Number(process.env.FUZZ_SEED) || options.seed;
  const stack = await startStack({ env: { TRUST_PROXY: '127.0.0.1' } });
  try {
    const station = await stack.addScripted({ connectors: 4 });
    const driver = await stack.driver(10_000_00);
    const operations = [
      await addOperation(stack, driver.id, 'finished'),
      await addOperation(stack, driver.id, 'ongoing'),
    ];
    const known = [...station.connectors, ...operations, ...[...station.connectors, ...operations].map(String)];
    const startedAt = Date.now();
    const outcome = await fuzz(stack, { ...options, seed, known: [...known, driver.phone, driver.id, station.number] });
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`fuzz: seed ${seed}, ${outcome.calls} calls in ${seconds} s, ${outcome.faults.length} faults`);
    await stack.checkBooks();
    return outcome;
  } finally {
    await stack.close();
  }
}
