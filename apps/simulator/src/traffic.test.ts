import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from './clock.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { generateNetwork } from './network.ts';
import { createRandom } from './random.ts';
import { type CentralSystem, startCentralSystem } from './testing/central-system.ts';
import { nextVisit } from './traffic.ts';

let central: CentralSystem;
let fleet: Fleet;

beforeEach(async () => {
  central = await startCentralSystem();
});
afterEach(async () => {
  fleet.stop();
  await central.stop();
});

/** Half an hour passes in a second. */
function open(cards: string[], hasTraffic = true): Fleet {
  const network = { ...generateNetwork(30, central.password), cards };
  const clock = createClock({ speed: 1800 });
  return createFleet({ url: central.url, network, clock, seed: 'test', hasTraffic, connectsPerSecond: 2000 });
}

const seen = () =>
  new Set([...fleet.chargePoints.values()].flatMap((point) => point.connectors.map(({ status }) => status)));

describe('cars that arrive automatically', () => {
  it('charge with a card, wait for a start from the app, and leave; every status occurs', async () => {
    fleet = open(Array.from({ length: 60 }, (_, index) => `CARD${index}`));
    fleet.start();
    const all = new Set<string>();
    await vi.waitFor(() => {
      for (const status of seen()) all.add(status);
      expect([...all].sort()).toEqual(expect.arrayContaining(['Available', 'Charging', 'Finishing', 'Preparing']));
    }, 15_000);
    await vi.waitFor(
      () => expect(central.actions().filter((action) => action === 'StopTransaction').length).toBeGreaterThan(3),
      15_000,
    );
  });

  it('only plug in and wait when there are no cards', async () => {
    fleet = open([]);
    fleet.start();
    await vi.waitFor(() => expect(seen()).toContain('Preparing'), 10_000);
    expect(central.actions()).not.toContain('StartTransaction');
  });

  it('do not arrive unless they are enabled', async () => {
    fleet = open([], false);
    fleet.start();
    await vi.waitFor(() => expect(central.connects.size).toBe(30), 10_000);
    expect(seen()).toEqual(new Set(['Available']));
  });

  it('arrive at the same times with the same seed', () => {
    const visits = (seed: string) => {
      const random = createRandom(seed);
      return Array.from({ length: 10 }, () => nextVisit(random, true));
    };
    expect(visits('a')).toEqual(visits('a'));
    expect(visits('a')).not.toEqual(visits('b'));
    fleet = open([]);
  });
});
