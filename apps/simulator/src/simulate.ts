import { once } from 'node:events';
import { createClock } from './clock.ts';
import { createControlServer } from './control/server.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { generateNetwork, loadNetwork, type Network, waitForNetwork } from './network.ts';
import type { Options } from './options.ts';

/** Simulates charge points and cars until it is stopped. */
export async function simulate(options: Options, stop: AbortSignal): Promise<void> {
  let fleet: Fleet | null = null;
  const control = createControlServer(() => fleet?.chargePoints ?? new Map());
  // The page is available at once and stays empty until the network is loaded. It listens on loopback only, because it
  // has no access control.
  if (options.port !== null) {
    const address = await control.listen({ host: '127.0.0.1', port: options.port });
    console.log(`control page: ${address}`);
  }
  try {
    const network = await networkOf(options, stop);
    // A stop during the reading has no later event to wait for.
    if (network === null || stop.aborted) return;
    const { url, speed, stamps, seed, scenario, hasTraffic, connectsPerSecond } = options;
    const clock = createClock({ speed, stamps });
    fleet = createFleet({ url, network, clock, seed, scenario, hasTraffic, connectsPerSecond });
    fleet.start();
    console.log(`${network.chargePoints.length} charge points connect to ${url}, speed ${speed}`);
    await once(stop, 'abort');
  } finally {
    fleet?.stop();
    await control.close();
  }
}

function networkOf({ source, password }: Options, stop: AbortSignal): Promise<Network | null> {
  if (source.kind === 'wait') {
    console.log(`waiting for ${source.file}`);
    return waitForNetwork(source.file, stop);
  }
  return source.kind === 'load' ? loadNetwork(source.from) : Promise.resolve(generateNetwork(source.count, password));
}
