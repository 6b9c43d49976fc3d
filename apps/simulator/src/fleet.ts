import { ChargePoint } from './charge-point.ts';
import type { Clock, Timer } from './clock.ts';
import type { Network } from './network.ts';
import { createRandom } from './random.ts';
import type { ScenarioName } from './scenario.ts';
import { createTraffic, type Traffic } from './traffic.ts';

export interface FleetOptions {
  url: string;
  network: Network;
  clock: Clock;
  seed: string | number;
  /** The scenario of charge points that have none of their own. */
  scenario?: ScenarioName;
  /** True when cars arrive and leave automatically. */
  hasTraffic?: boolean;
  /** Limit of new connections per second, so that neither side is overloaded at the start. */
  connectsPerSecond?: number;
}

/** All charge points of one process. */
export interface Fleet {
  readonly chargePoints: ReadonlyMap<string, ChargePoint>;
  readonly traffic: Traffic | null;
  start(): void;
  stop(): void;
}

/** Interval between two batches of connections, in real milliseconds. */
const BATCH_MS = 50;

export function createFleet(options: FleetOptions): Fleet {
  const { url, network, clock, seed, scenario = 'normal', hasTraffic = false, connectsPerSecond = 400 } = options;
  const chargePoints = new Map<string, ChargePoint>();
  for (const one of network.chargePoints) {
    const { identity, password, connectors, station, address } = one;
    const chargePoint = new ChargePoint({
      url,
      identity,
      password,
      connectors,
      scenario: one.scenario ?? scenario,
      clock,
      random: createRandom(`${seed}/${identity}`),
      ...(station === undefined ? {} : { station }),
      ...(address === undefined ? {} : { address }),
    });
    chargePoints.set(identity, chargePoint);
  }
  const traffic = hasTraffic ? createTraffic([...chargePoints.values()], network.cards, clock, seed) : null;
  let next: Timer | null = null;

  function connect(waiting: ChargePoint[]): void {
    const batch = Math.max(1, Math.round((connectsPerSecond * BATCH_MS) / 1000));
    for (const chargePoint of waiting.splice(0, batch)) chargePoint.start();
    next = waiting.length === 0 ? null : clock.after(BATCH_MS * clock.speed, () => connect(waiting));
  }

  return {
    chargePoints,
    traffic,
    start() {
      connect([...chargePoints.values()]);
      traffic?.start();
    },
    stop() {
      next?.cancel();
      traffic?.stop();
      for (const chargePoint of chargePoints.values()) chargePoint.stop();
    },
  };
}
