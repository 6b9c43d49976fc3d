import { expect, test } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { createFreeAlerts } from './service.ts';

test('a thousand changes of three hundred stations ask the database once who waits there, and only their queues are looked at', async () => {
  const asked: number[][] = [];
  const lookedAt: number[] = [];
  const service = createFreeAlerts({
    store: {
      withQueue: async (stations: readonly number[]) => {
        asked.push([...stations]);
        return new Set([7, 8]);
      },
      lockQueue: async (_step: unknown, { station }: { station: number }) => {
        lookedAt.push(station);
        return [];
      },
      endOfCharging: async () => {},
    } as never,
    steps: { run: async (work: (step: never) => Promise<unknown>) => work({} as never) } as never,
    stations: {} as never,
    stationOf: async () => null,
    deliver: async () => false,
    siteQueues: {} as never,
    power: {} as never,
    dueWork: { register() {} },
    limits: {} as never,
    clock: systemClock,
  });
  await Promise.all(Array.from({ length: 1_000 }, (_, index) => service.stationChanged(index % 300)));
  expect(asked.map(({ length }) => length)).toEqual([300]);
  expect([...new Set(lookedAt)].sort()).toEqual([7, 8]);
});
