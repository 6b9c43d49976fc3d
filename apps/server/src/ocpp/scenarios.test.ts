import { getUser } from '@fpay/contract/account';
import { getOperation, newPayment, stopOperation } from '@fpay/contract/charging';
import { type Car, EFFICIENCY, typicalCar } from '@fpay/simulator/src/car.ts';
import { type ScenarioName, scenarioNames } from '@fpay/simulator/src/scenario.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../testing/stack.ts';
import { createTimeline } from '../testing/timeline.ts';

/** How a charge at such a charge point ends, and what its driver pays for. */
interface Outcome {
  status: 'finished' | 'failed' | 'refused';
  /** Who ended it; why it failed; why it was refused. */
  why: string;
  /**
   * `delivered`: the metered energy to the watt-hour. `lastReading`: the energy of the last reading that we received.
   */
  paysFor: 'delivered' | 'lastReading' | 'nothing';
  starts: number;
}

interface Case extends Outcome {
  /** The driver presses stop when the page shows this much. Without it the charge ends without the driver. */
  stopsAtWh?: number;
  /** Further checks. */
  also?: (result: ScenarioResult) => void;
}

const byDriver = { status: 'finished', why: 'driver', paysFor: 'delivered', starts: 1, stopsAtWh: 700 } as const;
const returned = { status: 'failed', paysFor: 'nothing', starts: 3 } as const;

const cases: Record<ScenarioName, Case> = {
  normal: { ...byDriver, also: ({ row }) => expect(row?.soc).toBeGreaterThanOrEqual(20) },
  slow: {
    ...byDriver,
    stopsAtWh: 400,
    also: ({ samples }) => expect(Math.max(...samples.map(({ power_w }) => power_w ?? 0))).toBe(18_000),
  },
  'rejects-start': { ...returned, why: 'the station refused: Rejected' },
  'never-starts': { ...returned, why: 'the station did not start in time' },
  'drops-socket': {
    ...byDriver,
    // The gateway is quiet for five real seconds after the reconnect, which are minutes in this stack; a stop that is
    // requested meanwhile would be sent too late to be billed in full.
    stopsAtWh: 6_000,
    // The device was away for 90 s and sent what it measured meanwhile afterwards.
    also: ({ samples, connections }) => {
      expect(connections).toBe(2);
      const gaps = samples.slice(1).map(({ sampled_at }, n) => sampled_at.getTime() - Number(samples[n]?.sampled_at));
      expect(Math.max(...gaps)).toBeLessThan(60_000);
    },
  },
  reboots: { status: 'finished', why: 'station', paysFor: 'delivered', starts: 1 },
  repeats: {
    ...byDriver,
    also: ({ samples, transactions }) => {
      expect(transactions).toBe(1);
      expect(new Set(samples.map(({ sampled_at }) => sampled_at.getTime())).size).toBe(samples.length);
    },
  },
  kwh: byDriver,
  'odd-units': byDriver,
  'no-soc': { ...byDriver, also: ({ row }) => expect(row?.soc).toBeNull() },
  'meter-reset': { ...byDriver, stopsAtWh: 2_000, paysFor: 'lastReading' },
  faulted: { status: 'refused', why: 'connector_out_of_service', paysFor: 'nothing', starts: 0 },
  'clock-wrong': {
    ...byDriver,
    also: ({ row }) => expect(Number(row?.started_at) - Number(row?.created_at)).toBeLessThan(300_000),
  },
  'unplugs-early': { status: 'finished', why: 'car', paysFor: 'delivered', starts: 1 },
  'forgets-stop': { ...byDriver, paysFor: 'lastReading' },
  offline: { status: 'refused', why: 'connector_out_of_service', paysFor: 'nothing', starts: 0 },
};

/**
 * Time runs as fast as the server can follow: one of its answers takes no more than this much of the stack's time.
 * While a driver is about to press stop, it runs slower.
 */
const answerMs = 1_500;
const speeds = { pressing: 15, waiting: 90 };
/** Scenarios whose driver has not pressed stop yet. */
const pressing = new Set<ScenarioName>();
const priceOfKwh = 15_00;
const before = 1000_00;
const socBefore = 20;
const timeline = createTimeline();
let stack: Stack;
const results = new Map<ScenarioName, ScenarioResult>();

beforeAll(async () => {
  stack = await startStack({ clock: timeline.server });
  const charges = await Promise.all(scenarioNames.map(begin));
  for (const { scenario, id } of charges) if (id !== null && cases[scenario].stopsAtWh) pressing.add(scenario);
  const pacing = setInterval(() => void pace(), 200);
  await Promise.all(charges.map(async (charge) => results.set(charge.scenario, await end(charge)))).finally(() =>
    clearInterval(pacing),
  );
}, 300_000);
afterAll(() => stack.close());

describe('a charge from payment to receipt at a charge point that', () => {
  test.each(Object.entries(cases) as [ScenarioName, Case][])('%s', (scenario, expected) => {
    const so = results.get(scenario);
    if (!so) throw new Error('it was not run');
    const { status, why, starts, paysFor } = expected;
    expect({ status: so.status, why: so.why, starts: so.starts }).toEqual({ status, why, starts });
    const energyWh = { delivered: so.deliveredWh, lastReading: so.readWh, nothing: 0 }[paysFor];
    expect({ energyWh: so.energyWh, paid: so.paid }).toEqual({
      energyWh,
      paid: Math.floor((energyWh * priceOfKwh + 500) / 1000),
    });
    // Never more than was delivered, and less by at most what flows between two readings.
    expect(so.deliveredWh - energyWh).toBeGreaterThanOrEqual(0);
    expect(so.deliveredWh - energyWh).toBeLessThanOrEqual(paysFor === 'lastReading' ? 400 : 0);
    expected.also?.(so);
  });

  test('leaves every kopeck where it belongs', () => stack.checkBooks());
});

async function pace(): Promise<void> {
  const askedAt = performance.now();
  await stack.db.selectFrom('connectors').select('id').limit(1).execute();
  await fetch(`${stack.url}/healthz`);
  const fastest = pressing.size > 0 ? speeds.pressing : speeds.waiting;
  timeline.setSpeed(Math.min(fastest, Math.max(1, Math.round(answerMs / (performance.now() - askedAt)))));
}

type Begun = Awaited<ReturnType<typeof begin>>;
type ScenarioResult = Awaited<ReturnType<typeof end>>;

/** A driver plugs in and pays from the balance, as far as the product allows. */
async function begin(scenario: ScenarioName) {
  const { device, connector } = await stack.addStation({ scenario, price: priceOfKwh, clock: timeline.simulator });
  const meter = device.connector(1);
  const meterStartWh = Math.round(meter.meterWh);
  const { client } = await stack.driver(before);
  const statusToPayAt = scenario === 'offline' ? null : scenario === 'faulted' ? 'Faulted' : 'Preparing';
  if (statusToPayAt !== null) {
    // Set after the boot, because the first reading must come as early as the later ones.
    await until(`${scenario}: configured`, () => device.configuration.number('MeterValueSampleInterval') === 10);
  }
  device.plug(1, { car: typicalCar(socBefore) });
  await until(`${scenario}: plugged in`, async () => (await connectorRow(connector)).ocpp_status === statusToPayAt);
  const wish = { connector, amount: '300', payment_type: 'balance', target: 'uah' } as const;
  const { body } = await client.call(newPayment, { body: wish }, { unixMs: Math.round(timeline.now()) });
  const id = body.page_url ? Number(body.page_url.slice(2)) : null;
  return { scenario, device, client, meter, meterStartWh, id, refusal: body.code ?? '' };
}

async function end({ scenario, device, client, meter, meterStartWh, id, refusal }: Begun) {
  const paid = async () => before - (await client.call(getUser)).body.balance;
  const nothing = { starts: 0, deliveredWh: 0, readWh: 0, samples: [], transactions: 0, connections: 0, row: null };
  if (id === null) return { ...nothing, status: 'refused', why: refusal, energyWh: 0, paid: await paid() };

  const seen = async () => (await client.call(getOperation, { params: { id: String(id) } })).body;
  const { stopsAtWh } = cases[scenario];
  if (stopsAtWh !== undefined) {
    await until(`${scenario}: charging`, async () => (await seen()).energy >= stopsAtWh);
    await until(`${scenario}: stop taken`, async () => {
      const { status } = await client.call(
        stopOperation,
        { params: { id: String(id) } },
        { unixMs: Math.round(timeline.now()) },
      );
      return status === 200;
    });
    pressing.delete(scenario);
  }
  await until(`${scenario}: over`, async () => {
    // The watchdog runs once a minute of real time, which is an hour of the stack's time.
    if (scenario === 'forgets-stop') await stack.charging.watch();
    return ['finished', 'failed'].includes((await seen()).status);
  });
  await device.queue.drained();

  const { db } = stack;
  const row = await db.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const transactions = await db.selectFrom('ocpp_transactions').selectAll().where('operation_id', '=', id).execute();
  const samples = await db
    .selectFrom('meter_samples as s')
    .innerJoin('ocpp_transactions as t', 't.id', 's.ocpp_transaction_id')
    .select(['s.sampled_at', 's.energy_wh', 's.power_w'])
    .where('t.operation_id', '=', id)
    .orderBy('s.sampled_at')
    .execute();
  const link = await db
    .selectFrom('charge_point_links')
    .select('epoch')
    .where('charge_point_id', '=', row.charge_point_id)
    .executeTakeFirstOrThrow();
  const stops = transactions.flatMap((one) => (one.is_estimated ? [] : (one.meter_stop_wh ?? [])));
  return {
    status: row.status,
    why: (row.status === 'failed' ? row.failure_reason : row.stop_cause) ?? '',
    starts: row.start_attempt,
    energyWh: row.energy_wh,
    paid: await paid(),
    // A meter that restarted cannot show the sum, but the car can.
    deliveredWh: scenario === 'meter-reset' ? takenByCar(meter.car) : Math.round(meter.meterWh) - meterStartWh,
    readWh: rises(meterStartWh, [...samples.flatMap(({ energy_wh }) => energy_wh ?? []), ...stops]),
    transactions: transactions.length,
    connections: link.epoch,
    row,
    samples,
  };
}

function takenByCar(car: Car | null): number {
  return Math.round((((car?.soc ?? socBefore) - socBefore) / 100) * (typicalCar().batteryWh / EFFICIENCY));
}

/** The sum of rises of a register that may restart at 0. */
function rises(from: number, registers: readonly number[]): number {
  let last = from;
  let energyWh = 0;
  for (const register of registers) {
    energyWh += register >= last ? register - last : register;
    last = register;
  }
  return energyWh;
}

async function connectorRow(id: number) {
  return stack.db.selectFrom('connectors').select('ocpp_status').where('id', '=', id).executeTakeFirstOrThrow();
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await isSo(), what).toBe(true), { timeout: 240_000, interval: 250 });
}
