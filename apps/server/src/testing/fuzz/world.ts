import { addOperation } from '../operation.ts';
import { startWorld } from '../world.ts';
import { type FuzzFault, fuzz } from './run.ts';

/** The seed of `FUZZ_SEED`, or one of the moment; it is printed, so that a failure can be repeated. */
function seedOf(environment: NodeJS.ProcessEnv): number {
  return Number(environment.FUZZ_SEED) || Date.now() % 2 ** 31;
}

/** A server with a bank, stations, operations and users, called by the fuzzer. */
export async function fuzzWorld(rounds: number): Promise<{ calls: number; faults: FuzzFault[] }> {
  const seed = seedOf(process.env);
  const world = await startWorld({ env: { TRUST_PROXY: '127.0.0.1' } });
  try {
    const station = await world.addScripted({ connectors: 4 });
    const driver = await world.driver(10_000_00);
    const operations = [
      await addOperation(world, driver.id, 'finished'),
      await addOperation(world, driver.id, 'ongoing'),
    ];
    const known = [...station.connectors, ...operations, ...[...station.connectors, ...operations].map(String)];
    const startedAt = Date.now();
    const outcome = await fuzz(world, { seed, rounds, known: [...known, driver.phone, driver.id, station.number] });
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`fuzz: seed ${seed}, ${outcome.calls} calls in ${seconds} s, ${outcome.faults.length} faults`);
    await world.checkBooks();
    return outcome;
  } finally {
    await world.close();
  }
}
