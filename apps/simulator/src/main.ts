import { createClock } from './clock.ts';
import { createControlServer } from './control/server.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { inventNetwork, loadNetwork, type Network, waitForNetwork } from './network.ts';
import { BadOption, type Options, readOptions, usage } from './options.ts';

/** Plays charge points and cars until it is told to stop. */
async function main(options: Options, stop: AbortSignal): Promise<void> {
  let fleet: Fleet | null = null;
  const control = createControlServer(() => fleet?.chargePoints ?? new Map());
  // The page is there from the first moment, empty until the network is known. Loopback only: it obeys everybody.
  if (options.port !== null) {
    const address = await control.listen({ host: '127.0.0.1', port: options.port });
    console.log(`The control page is at ${address}`);
  }
  try {
    const network = await networkOf(options, stop);
    if (network === null) return;
    const { url, speed, stamps, seed, scenario, hasTraffic, connectsPerSecond } = options;
    const clock = createClock({ speed, stamps });
    fleet = createFleet({ url, network, clock, seed, scenario, hasTraffic, connectsPerSecond });
    fleet.start();
    console.log(`${network.chargePoints.length} charge points connect to ${url}, time runs ${speed} times as fast`);
    await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  } finally {
    fleet?.stop();
    await control.close();
  }
}

function networkOf({ source, password }: Options, stop: AbortSignal): Promise<Network | null> {
  if (source.kind === 'wait') {
    console.log(`Waiting for ${source.file}`);
    return waitForNetwork(source.file, stop);
  }
  return source.kind === 'load' ? loadNetwork(source.from) : Promise.resolve(inventNetwork(source.count, password));
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
try {
  if (process.argv.includes('--help')) console.log(usage);
  else await main(readOptions(process.argv.slice(2), process.env), stop.signal);
} catch (error) {
  console.error(error instanceof BadOption ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 1;
}
