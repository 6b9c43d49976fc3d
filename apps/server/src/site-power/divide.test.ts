import { expect, test } from 'vitest';
import { leastPowerOf, planSite, type SiteConnector } from './divide.ts';

let ids = 0;
const charge = (more: Partial<SiteConnector> = {}): SiteConnector => ({
  id: ++ids,
  ratedW: 60_000,
  leastW: 5_000,
  hasProfiles: true,
  isOnline: true,
  isRunning: true,
  drawnW: null,
  capW: null,
  isSettled: false,
  askedW: null,
  obeys: true,
  isOnTrial: false,
  isTrialDue: false,
  waitsFor: null,
  fallbackW: null,
  ...more,
});
const sharesOf = (limitW: number, connectors: SiteConnector[], turn = 0) => [
  ...planSite(limitW, connectors, turn).shares.values(),
];

test.each<[string, number, SiteConnector[], number[]]>([
  ['one car takes all', 120_000, [charge()], [60_000]],
  ['two cars share equally', 90_000, [charge(), charge()], [45_000, 45_000]],
  [
    'a small connector leaves its rest to the others',
    120_000,
    [charge(), charge(), charge({ ratedW: 22_000, leastW: 4_140 })],
    [49_000, 49_000, 22_000],
  ],
  [
    'what a car does not take goes to the others',
    90_000,
    [
      charge({ drawnW: 20_000, capW: 45_000, isSettled: true }),
      charge({ drawnW: 45_000, capW: 45_000, isSettled: true }),
    ],
    [23_000, 60_000],
  ],
  [
    'a car that has just got its share is not judged yet',
    90_000,
    [charge({ drawnW: 1_000, capW: 45_000 }), charge({ drawnW: 45_000, capW: 45_000, isSettled: true })],
    [45_000, 45_000],
  ],
  ['a free connector needs nothing', 60_000, [charge(), charge({ isRunning: false })], [60_000]],
  [
    'a free connector without profiles is not subtracted, because its start is asked for first',
    60_000,
    [charge(), charge({ hasProfiles: false, isRunning: false, ratedW: 7_000 })],
    [60_000],
  ],
  [
    'a running charge without profiles is subtracted',
    60_000,
    [charge(), charge({ hasProfiles: false, ratedW: 7_000 })],
    [53_000],
  ],
  [
    'a running charge whose device does not obey is subtracted',
    90_000,
    [charge(), charge({ obeys: false, drawnW: 10_000 })],
    [30_000],
  ],
  ['so is one whose device was not seen yet', 90_000, [charge(), charge({ obeys: null })], [30_000]],
  [
    'when the limit would not hold otherwise, a device that was not seen yet is asked as well',
    60_000,
    [charge(), charge({ obeys: null })],
    [30_000, 30_000],
  ],
  [
    'a start that is paid for is subtracted before it begins',
    90_000,
    [charge(), charge({ isRunning: false, waitsFor: 'start', obeys: null })],
    [30_000],
  ],
  [
    'with its standing limit, where its device obeys',
    90_000,
    [charge(), charge({ isRunning: false, waitsFor: 'power', fallbackW: 45_000 })],
    [45_000],
  ],
  [
    'one that is not paid for is not',
    90_000,
    [charge(), charge({ isRunning: false, waitsFor: 'money', obeys: null })],
    [60_000],
  ],
  ['a running charge whose device is away is subtracted', 90_000, [charge(), charge({ isOnline: false })], [30_000]],
  [
    'a free connector whose device is away is not',
    90_000,
    [charge(), charge({ isOnline: false, isRunning: false })],
    [60_000],
  ],
  ['there is not enough for all: some wait', 12_000, [charge(), charge(), charge()], [6_000, 6_000, 0]],
  ['there is nothing left', 60_000, [charge(), charge({ hasProfiles: false })], [0]],
])('%s', (_name, limitW, connectors, shares) => expect(sharesOf(limitW, connectors)).toEqual(shares));

test('cars that must wait take turns', () => {
  const cars = [charge(), charge(), charge()];
  const waiting = [0, 1, 2].map((turn) => sharesOf(12_000, cars, turn).indexOf(0));
  expect(new Set(waiting).size).toBe(3);
});

test('a reduction is sent at once, and a raise waits until it was accepted', () => {
  const first = charge({ capW: 60_000 });
  const second = charge({ capW: 0 });
  const { orders } = planSite(60_000, [first, second], 0);
  expect(orders).toEqual([{ id: first.id, watts: 30_000 }]);
  const accepted = planSite(60_000, [{ ...first, capW: 30_000 }, second], 0);
  expect(accepted.orders).toEqual([{ id: second.id, watts: 30_000 }]);
});

test('a car that has just started gets its share with the reductions of the others', () => {
  const first = charge({ capW: 60_000 });
  const started = charge();
  expect(planSite(60_000, [first, started], 0).orders).toEqual([
    { id: first.id, watts: 30_000 },
    { id: started.id, watts: 30_000 },
  ]);
});

test('a device that has not answered yet is not asked again', () => {
  expect(planSite(60_000, [charge({ askedW: 10_000 })], 0).orders).toEqual([]);
});

test.each([
  [60_000, 'DC', 5_000],
  [22_000, 'AC', 4_140],
  [7_000, 'AC', 1_380],
  [3_000, 'DC', 3_000],
] as const)('the least power of %i W %s is %i W', (ratedW, current, least) =>
  expect(leastPowerOf(ratedW, current)).toBe(least),
);

test.each<[string, Partial<SiteConnector>, number | null]>([
  ['is asked for less once', { drawnW: 50_000 }, 35_000],
  ['is not asked while nothing is measured', {}, null],
  ['is not asked when the car takes too little to show it', { drawnW: 6_000 }, null],
  ['is not asked again at once', { drawnW: 50_000, isTrialDue: false, capW: 35_000, isOnTrial: true }, null],
  ['gets its power back when its trial showed nothing', { isTrialDue: false, capW: 35_000 }, 60_000],
  ['keeps its limit when it did not obey', { isTrialDue: false, capW: 35_000, obeys: false }, null],
  ['is asked again later when it did not obey', { drawnW: 50_000, obeys: false }, 35_000],
  ['is not asked without profiles', { drawnW: 50_000, hasProfiles: false }, null],
])('a device that was not seen to obey %s', (_name, more, watts) => {
  const one = charge({ obeys: null, isTrialDue: true, ...more });
  expect(planSite(200_000, [one], 0).orders).toEqual(watts === null ? [] : [{ id: one.id, watts }]);
});

/** Numbers of a fixed series, so that a failure can be repeated. */
function series(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % most;
  };
}

test('for any site: the limit holds with every answer outstanding, shares are fair, and nothing is left without reason', () => {
  for (let seed = 1; seed <= 3_000; seed += 1) {
    const next = series(seed);
    const connectors = Array.from({ length: 1 + next(10) }, () => {
      const ratedW = [7_000, 11_000, 22_000, 60_000, 150_000][next(5)] ?? 0;
      const capW = next(3) === 0 ? null : next(ratedW + 1);
      return charge({
        ratedW,
        leastW: leastPowerOf(ratedW, ratedW > 22_000 ? 'DC' : 'AC'),
        hasProfiles: next(6) > 0,
        obeys: [true, true, true, null, false][next(5)] ?? null,
        isOnline: next(8) > 0,
        isRunning: next(4) > 0,
        capW,
        drawnW: next(3) === 0 ? null : next((capW ?? ratedW) + 1),
        isSettled: next(2) === 0,
        askedW: next(5) === 0 ? next(ratedW + 1) : null,
      });
    });
    const limitW = 10_000 + next(400_000);
    const { shares, orders, subtractedW, budgetW } = planSite(limitW, connectors, next(10));
    const total = [...shares.values()].reduce((sum, watts) => sum + watts, 0);
    expect(total, `seed ${seed}`).toBeLessThanOrEqual(Math.max(0, limitW - subtractedW));
    const byId = new Map(connectors.map((one) => [one.id, one]));
    for (const [id, watts] of shares) {
      const { ratedW = 0, leastW = 0 } = byId.get(id) ?? {};
      expect(watts === 0 || (watts >= leastW && watts <= ratedW), `seed ${seed}`).toBe(true);
    }
    // No raise may add to what devices could take, beyond the budget.
    const held = (one: SiteConnector) => Math.max(one.capW ?? one.ratedW, one.askedW ?? 0);
    const steered = connectors.filter(({ id }) => shares.has(id));
    const before = steered.reduce((sum, one) => sum + held(one), 0);
    const asked = new Map(orders.map(({ id, watts }) => [id, watts]));
    const during = steered.reduce((sum, one) => sum + Math.max(held(one), asked.get(one.id) ?? 0), 0);
    expect(during, `seed ${seed}`).toBeLessThanOrEqual(Math.max(before, budgetW));
  }
});

test('the plan is reached in a few rounds, whatever was in force before', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const next = series(seed);
    let cars = Array.from({ length: 8 }, () => charge({ capW: next(60_001) }));
    for (let round = 0; round < 6; round += 1) {
      const orders = new Map(planSite(120_000, cars, 0).orders.map(({ id, watts }) => [id, watts]));
      cars = cars.map((one) => ({ ...one, capW: orders.get(one.id) ?? one.capW }));
    }
    const caps = cars.map(({ capW }) => capW ?? 0);
    expect(
      caps.reduce((sum, watts) => sum + watts, 0),
      `seed ${seed}`,
    ).toBeLessThanOrEqual(120_000);
    expect(Math.min(...caps), `seed ${seed}`).toBeGreaterThanOrEqual(14_000);
  }
});
