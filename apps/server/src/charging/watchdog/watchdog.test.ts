import { getUser } from '@fpay/contract/account';
import { getOperation } from '@fpay/contract/charging';
import { getAnomalies, getCounters, getTerminations } from '@fpay/contract/health';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';
import { createWatchedCharges } from '../testing/watchdog.ts';

let stack: MovedStack;
let charges: ReturnType<typeof createWatchedCharges>;
beforeAll(async () => {
  stack = await startMovedStack();
  charges = createWatchedCharges(stack);
});
afterAll(() => stack.close());

/** Signed in for each list, because hours and days pass here and a staff session ends after twelve hours. */
const terminations = async () => (await (await stack.signedIn('Support')).client.call(getTerminations)).body;
const anomalies = async () => (await (await stack.signedIn('Analytic')).client.call(getAnomalies)).body;
const counters = async () => (await (await stack.signedIn('Analytic')).client.call(getCounters)).body;

test('over_limit: the deposit was reached two minutes ago and it still charges: stopped [ADM-HLTH-13]', async () => {
  const fixture = await charges.charging();
  // The stop that a reading at the limit causes is missing.
  await sql`update operations set limit_reached_at = ${stack.clock.now()} where id = ${fixture.id}`.execute(stack.db);
  stack.ahead({ seconds: 60 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('ongoing');
  stack.ahead({ seconds: 61 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('finishing');
  expect(await fixture.device.asked('RemoteStopTransaction')).toEqual({ transactionId: fixture.transactionId });
  expect(await charges.terminationsOf(fixture.id)).toEqual(['over_limit']);
});

test('silent: no reading for 15 minutes: a stop is sent, and ten minutes later the charge is settled on the last reading [ADM-HLTH-14]', async () => {
  const fixture = await charges.charging();
  stack.ahead({ minutes: 14 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('ongoing');
  stack.ahead({ minutes: 2 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('finishing');
  await vi.waitFor(
    () =>
      expect(fixture.device.commands).toContainEqual({
        action: 'TriggerMessage',
        payload: { requestedMessage: 'MeterValues', connectorId: 1 },
      }),
    { timeout: 15_000 },
  );
  // Half a minute later staff see that the stop had no effect.
  stack.ahead({ seconds: 31 });
  await vi.waitFor(async () => expect(await charges.terminationsOf(fixture.id)).toContain('stop_ignored'), {
    timeout: 15_000,
  });
  stack.ahead({ minutes: 10 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('finished');
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);
  expect(await charges.terminationsOf(fixture.id)).toEqual(['silent', 'stop_ignored', 'stuck']);
  await stack.checkBooks();
});

test('stuck: a start over ten minutes old is given up, everything returned [ADM-HLTH-15]', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver(100_00);
  const { body } = await stack.pay(client, { connector: station.connector, amount: '100' });
  const id = Number(body.page_url.slice(2));
  await station.device.asked('RemoteStartTransaction');
  stack.ahead({ minutes: 11 });
  await stack.charging.watch();
  expect(await charges.statusOf(id)).toBe('failed');
  await vi.waitFor(async () => expect((await client.call(getUser)).body.balance).toBe(100_00), { timeout: 15_000 });
});

test('idle: nothing taken for an hour ends the operation; the driver is warned at 30 minutes, once [MACH-31]', async () => {
  const fixture = await charges.charging();
  await sql`update users set telegram_id = ${fixture.id + 700_000_000} where id = ${fixture.userId}`.execute(stack.db);
  const warned = async () =>
    (
      await stack.db
        .selectFrom('notices')
        .select('kind')
        .where('operation_id', '=', fixture.id)
        .where('kind', '=', 'idle')
        .execute()
    ).length;
  const nothing = () => fixture.device.meter(1, fixture.transactionId, 1_100, 0);
  await nothing();
  stack.ahead({ minutes: 29 });
  await nothing();
  await stack.charging.watch();
  expect(await warned()).toBe(0);
  stack.ahead({ minutes: 2 });
  await stack.charging.watch();
  await stack.charging.watch();
  expect(await warned()).toBe(1);
  stack.ahead({ minutes: 28 });
  await nothing();
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('ongoing');
  stack.ahead({ minutes: 2, seconds: 1 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('finishing');
});

test('away: nothing is settled until the station has been away for 24 hours; its late stop then corrects within the deposit [MACH-30]', async () => {
  const fixture = await charges.charging();
  await charges.goesAway(fixture);
  stack.ahead({ hours: 23 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('ongoing');
  stack.ahead({ hours: 2 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('finished');
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);

  const back = await fixture.connect();
  await back.stop(fixture.transactionId, 1_250);
  await vi.waitFor(async () => expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 3_75), {
    timeout: 15_000,
  });
  await stack.checkBooks();
});

test('field problem 15: the connector is free again and no stop ever came: closed on the last reading', async () => {
  const fixture = await charges.charging();
  await fixture.device.status(1, 'Available');
  stack.ahead({ minutes: 11 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('finished');
  expect(await charges.terminationsOf(fixture.id)).toEqual(['forgotten']);
});

test('staff see terminated operations, newest first, with their fields [ENT-36] [API-62]', async () => {
  const body = await terminations();
  expect(body.length).toBeGreaterThan(5);
  expect(body.map(({ id }) => id)).toEqual(body.map(({ id }) => id).toSorted((a, b) => b - a));
});

test('a terminated operation is shown with its sums, its cause and its times [ENT-36]', async () => {
  const fixture = await charges.charging();
  const before = stack.clock.now().getTime();
  await fixture.device.status(1, 'Available');
  stack.ahead({ minutes: 11 });
  await stack.charging.watch();
  const { started_at } = (await fixture.client.call(getOperation, { params: { id: String(fixture.id) } })).body;
  const found = (await terminations()).find(({ id }) => id === fixture.id);
  expect(found).toEqual({
    id: fixture.id,
    type: 'forgotten',
    amount: 150_00,
    total: 1_50,
    started_at,
    finished_at: expect.any(String),
    is_pending: false,
  });
  expect(Date.parse(found?.finished_at ?? '')).toBeGreaterThanOrEqual(before);
});

async function ended(
  status: string,
  payment: string | null,
  more: { total?: number; captured?: number; energy?: number; lost?: number } = {},
) {
  const fixture = await charges.charging();
  await fixture.device.stop(fixture.transactionId, 1_100);
  await stack.until(fixture.client, fixture.id, 'finished');
  const { total = 1_50, captured = 1_50, energy = 100, lost = 0 } = more;
  await sql`update operations set status = ${status}, total = ${total}, energy_wh = ${energy}, lost = ${lost}
    where id = ${fixture.id}`.execute(stack.db);
  if (payment)
    await sql`with paid as (update payments set status = ${payment}, captured = ${captured} where operation_id = ${fixture.id}
        returning operation_id, hold_status, captured - refunded as kept)
      update operations o set hold_status = paid.hold_status, paid = paid.kept from paid where o.id = paid.operation_id`.execute(
      stack.db,
    );
  stack.ahead({ minutes: 20 });
  return fixture.id;
}

test.each([
  ['e-sma-01', 'created', 'created', 'stuck in created after a payment update'],
  ['e-sma-02', 'ongoing', 'failure', 'payment failed but transaction not'],
  ['e-sma-03', 'pending_final_payment', 'success', 'payment successful but transaction not finished'],
  ['e-sma-04', 'finished', 'reversed', 'payment reversed but transaction neither canceled nor failed'],
])(
  'anomaly %s: operation %s with payment %s: %s [ENT-35] [ADM-HLTH-01] [ADM-HLTH-02] [ADM-HLTH-03] [ADM-HLTH-04]',
  async (code, status, payment) => {
    const id = await ended(status, payment);
    const found = (await anomalies()).find(({ operation_id }) => operation_id === id);
    expect(found).toEqual({
      operation_id: id,
      payment_id: expect.any(Number),
      operation_status: status,
      payment_status: payment,
      code,
    });
  },
);

test.each([
  ['e-scv-01', 'success', { total: 0 }, 'payment success with total 0'],
  ['e-scv-02', 'reversed', {}, 'total non-zero but payment not success'],
  ['e-scv-03', 'success', { captured: 151_00, total: 150_00 }, 'payment total above initial amount'],
  ['e-scv-04', 'success', { captured: 2_00 }, 'payment total above operation total'],
  ['e-scv-05', 'success', { energy: 150_001 }, 'energy above the suspicious threshold'],
] as const)(
  'counter %s: payment %s, %o: %s [ADM-HLTH-07] [ADM-HLTH-08] [ADM-HLTH-09] [ADM-HLTH-10] [ADM-HLTH-11]',
  async (code, payment, more, _text) => {
    const id = await ended('finished', payment, more);
    const found = (await counters()).find(({ operation_id }) => operation_id === id);
    expect(found?.code).toBe(code);
    expect(Object.keys(found ?? {}).sort()).toEqual(
      'code created_at energy operation_id operation_status operation_total payment_amount payment_id payment_status payment_total'.split(
        ' ',
      ),
    );
  },
);

test('a counter mismatch has its ten fields [ENT-37]', async () => {
  const [found] = await counters();
  expect(
    Object.keys(found ?? {})
      .sort()
      .join(' '),
  ).toBe(
    'code created_at energy operation_id operation_status operation_total payment_amount payment_id payment_status payment_total',
  );
});

test('a loss that was booked is not an anomaly again', async () => {
  const id = await ended('finished', 'reversed', { lost: 1_50, captured: 0 });
  const findings = [...(await anomalies()), ...(await counters())];
  expect(findings.filter(({ operation_id }) => operation_id === id)).toEqual([]);
});

test('a charge without an operation gets a stop once a minute until it ends', async () => {
  const { device } = await stack.addScripted();
  const { transactionId } = await device.start(1, '04BEEF0001', 1_000);
  const stops = () => device.commands.filter(({ action }) => action === 'RemoteStopTransaction');
  await stack.charging.watch();
  expect(stops()).toEqual([]);
  const aMinutePasses = () => stack.ahead({ minutes: 2 });
  aMinutePasses();
  await stack.charging.watch();
  await stack.charging.watch();
  await vi.waitFor(() => expect(stops()).toEqual([{ action: 'RemoteStopTransaction', payload: { transactionId } }]), {
    timeout: 10_000,
  });
  aMinutePasses();
  await stack.charging.watch();
  await vi.waitFor(() => expect(stops()).toHaveLength(2), { timeout: 10_000 });
  await device.stop(transactionId, 1_050);
  aMinutePasses();
  await stack.charging.watch();
  expect(stops()).toHaveLength(2);
});

test('an operation still open on day 7 of its hold is stopped and settled on its last total [MACH-34]', async () => {
  const fixture = await charges.charging();
  stack.ahead({ days: 7, minutes: 1 });
  await stack.charging.watch();
  expect(await charges.statusOf(fixture.id)).toBe('finished');
  expect((await fixture.client.call(getUser)).body.balance).toBe(1000_00 - 1_50);
});
