import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, stopOperation } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const look = async (client: Client, id: number) =>
  (await client.call(getOperation, { params: { id: String(id) } })).body;
const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const logOf = async (id: number) =>
  (
    await stack.db.selectFrom('operation_log').select('text').where('operation_id', '=', id).orderBy('id').execute()
  ).map(({ text }) => text);

const asked = () => stack.askedToStart();
const charging = (deposit?: string, place?: Parameters<Stack['addScripted']>[0]) =>
  stack.startCharge(deposit, 1_000, place);

test('remote start has the connector and a single-use tag; the start changes the status [MACH-07] [MACH-09]', async () => {
  const { device, idTag, client, id } = await asked();
  expect(device.commands.find(({ action }) => action === 'RemoteStartTransaction')?.payload).toEqual({
    connectorId: 1,
    idTag,
  });
  expect(idTag).toMatch(/^[A-Z0-9]{1,20}$/);
  expect(await look(client, id)).toMatchObject({ status: 'starting', start_attempt: 1, max_attempts: 3 });
  await device.start(1, idTag, 1_000);
  expect(await stack.until(client, id, 'ongoing')).toMatchObject({ current: -1, energy: 0 });
});

test('readings become energy, power, percentage, total and time left [PAY-22] [PAY-23] [ENT-12] [ENT-14]', async () => {
  const { device, transactionId, client, id } = await charging();
  await device.meter(1, transactionId, 1_150, 50_000);
  const now = await vi.waitFor(
    async () => {
      const operation = await look(client, id);
      expect(operation.energy).toBe(150);
      return operation;
    },
    { timeout: 15_000 },
  );
  expect(now).toMatchObject({
    power: 50_000,
    total: 2_25,
    real_total: 2_25,
    percentage: 1,
    energy_limit: 10_000,
    time_left: 710,
    amount: 150_00,
    payment_type: 'bonuses',
    hold_status: 'hold',
    payment_status: null,
    rating: null,
    rating_comment: null,
    current: -1,
    soc: null,
  });
  const sampledValue = [
    { value: '1.2', unit: 'kWh' },
    { value: '38', measurand: 'Power.Active.Import', unit: 'kW' },
    { value: '31.94', measurand: 'Current.Import', unit: 'A' },
    { value: '64', measurand: 'SoC', unit: 'Percent' },
  ];
  const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }];
  await device.call('MeterValues', { connectorId: 1, transactionId, meterValue });
  expect(await look(client, id)).toMatchObject({ energy: 200, power: 38_000, current: 31.9, soc: 64, total: 3_00 });
});

test.each([
  ['car', { reason: 'EVDisconnected' }],
  ['station', { reason: 'Local' }],
  ['station', {}],
  ['station', { reason: 'PowerLoss' }],
  ['staff', { reason: 'Remote' }],
] as const)('a stop by the %s (%o) settles on the meter’s final reading', async (cause, more) => {
  const { device, transactionId, client, id } = await charging();
  await device.meter(1, transactionId, 1_100);
  await device.stop(transactionId, 1_200, more);
  expect(await stack.until(client, id, 'finished')).toMatchObject({
    energy: 200,
    total: 3_00,
    payment_status: 'success',
  });
  expect(await balance(client)).toBe(1000_00 - 3_00);
  const row = await stack.db
    .selectFrom('operations')
    .select('stop_cause')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row.stop_cause).toBe(cause);
  await stack.checkBooks();
});

test('a stop by the driver is sent to the station, whose StopTransaction ends the charge [MACH-12] [API-49]', async () => {
  const { device, transactionId, client, id } = await charging();
  expect((await client.call(stopOperation, { params: { id: String(id) } })).body).toEqual({ status: 'finishing' });
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId });
  expect((await look(client, id)).stop_requested).toBe(true);
  await device.stop(transactionId, 1_100, { reason: 'Remote' });
  expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 100, total: 1_50 });
});

test('a paid charge that delivered nothing ends failed, everything returned [MACH-18]', async () => {
  const { device, transactionId, client, id } = await charging();
  await device.stop(transactionId, 1_000);
  expect(await stack.until(client, id, 'failed')).toMatchObject({ total: 0, payment_status: 'reversed' });
  expect(await balance(client)).toBe(1000_00);
  await stack.checkBooks();
});

test('the driver cancels while the start is being sent: money returned; a start that comes after all is stopped, never billed [MACH-08] [MACH-17]', async () => {
  const station = await stack.addScripted();
  const { device } = station;
  // The device has received the command and not answered yet.
  let answer = (_: { status: string }) => {};
  device.replies.RemoteStartTransaction = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const { client } = await stack.driver(1000_00);
  const { body } = await stack.pay(client, { connector: station.connector, amount: '150' });
  const id = Number(body.page_url.slice(2));
  const idTag = String((await device.asked('RemoteStartTransaction')).idTag);
  expect((await client.call(stopOperation, { params: { id: String(id) } })).body).toEqual({ status: 'canceled' });
  expect(await balance(client)).toBe(1000_00);
  answer({ status: 'Accepted' });
  const late = await device.start(1, idTag, 1_000);
  expect(late.idTagInfo.status).toBe('Invalid');
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId: late.transactionId });
  await device.stop(late.transactionId, 1_050);
  expect(await look(client, id)).toMatchObject({ status: 'canceled', total: 0, energy: 0 });
  expect(await balance(client)).toBe(1000_00);
  // 50 Wh that no driver pays for are the network's loss, once.
  await device.stop(late.transactionId, 1_050);
  const lost = stack.db.selectFrom('transfers').select(['kind', 'amount']).where('operation_id', '=', id);
  expect(await lost.where('kind', '=', 'lost').execute()).toEqual([{ kind: 'lost', amount: 75 }]);
  expect(await logOf(id)).toContain(`transaction ${late.transactionId}: 50 Wh in no bill, 75 booked to losses`);
  await stack.checkBooks();
});

test('field problem 47: StartTransaction sent twice is one operation with one transaction id', async () => {
  const { device, idTag, client, id } = await asked();
  const at = new Date().toISOString();
  const [first, second] = await Promise.all([device.start(1, idTag, 1_000, at), device.start(1, idTag, 1_000, at)]);
  expect(second.transactionId).toBe(first.transactionId);
  expect([first.idTagInfo.status, second.idTagInfo.status]).toEqual(['Accepted', 'Accepted']);
  await device.stop(first.transactionId, 1_100);
  expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 100 });
  expect(await balance(client)).toBe(1000_00 - 1_50);
});

test('a second StartTransaction for a running operation gets its own id and ConcurrentTx, is stopped and never billed [MACH-29]', async () => {
  const { device, idTag, transactionId, client, id } = await charging();
  const second = await device.start(1, idTag, 5_000);
  expect([second.transactionId === transactionId, second.idTagInfo.status]).toEqual([false, 'ConcurrentTx']);
  expect(await device.asked('RemoteStopTransaction')).toEqual({ transactionId: second.transactionId });
  await device.stop(second.transactionId, 6_000);
  expect((await look(client, id)).status).toBe('ongoing');
  await device.stop(transactionId, 1_100);
  expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 100, total: 1_50 });
  expect(await balance(client)).toBe(1000_00 - 1_50);
});

test('field problem 12: the same StopTransaction again is answered and billed once', async () => {
  const { device, transactionId, client, id } = await charging();
  await device.stop(transactionId, 1_100);
  await device.stop(transactionId, 1_100);
  await device.stop(transactionId, 9_100);
  expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 100, total: 1_50 });
  expect(await balance(client)).toBe(1000_00 - 1_50);
});

test('field problem 46: a transaction id from another charge point changes nothing [MACH-32]', async () => {
  const mine = await charging();
  const other = await stack.addScripted();
  await other.device.meter(1, mine.transactionId, 9_000);
  await other.device.stop(mine.transactionId, 9_000);
  expect(await look(mine.client, mine.id)).toMatchObject({ status: 'ongoing', energy: 0 });
  await mine.device.stop(mine.transactionId, 1_100);
  expect(await stack.until(mine.client, mine.id, 'finished')).toMatchObject({ energy: 100 });
  expect(await balance(mine.client)).toBe(1000_00 - 1_50);
});

test('energy faster than the connector can deliver is not billed and is recorded [MACH-33]', async () => {
  const { device, transactionId, client, id } = await charging('1000', { powerW: 60_000 });
  await device.meter(1, transactionId, 1_100);
  await device.meter(1, transactionId, 90_000);
  await device.stop(transactionId, 90_000);
  const finished = await stack.until(client, id, 'finished');
  expect(finished.energy).toBe(100);
  expect(await balance(client)).toBe(1000_00 - 1_50);
  const noted = await stack.db
    .selectFrom('charge_point_anomalies')
    .select('kind')
    .where('ocpp_transaction_id', '=', transactionId)
    .execute();
  expect(noted.map(({ kind }) => kind)).toContain('tooFast');
});

test.each([
  ['13', 0],
  ['13', -1],
])(
  'field problem %s: StopTransaction with id %d ends the open operation of that connector',
  async (_row, transactionId) => {
    const { device, idTag, client, id } = await charging();
    await device.stop(transactionId, 1_100, { idTag });
    expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 100, total: 1_50 });
    expect(await balance(client)).toBe(1000_00 - 1_50);
  },
);

test.each([
  ['0', 0],
  ['less than the start', 500],
])('field problem 17: a final meter reading of %s falls back to the last good one', async (_text, meterStop) => {
  const { device, transactionId, client, id } = await charging();
  await device.meter(1, transactionId, 1_150);
  await device.stop(transactionId, meterStop);
  expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 150, total: 2_25 });
  expect(await balance(client)).toBe(1000_00 - 2_25);
});

test('field problem 43: the last reading just before the stop and the stop itself both count', async () => {
  const { device, transactionId, client, id } = await charging();
  await Promise.all([device.meter(1, transactionId, 1_120), device.stop(transactionId, 1_140)]);
  expect(await stack.until(client, id, 'finished')).toMatchObject({ energy: 140, total: 2_10 });
  expect(await balance(client)).toBe(1000_00 - 2_10);
});

test('StopTransaction for a start that was lost applies both together [MACH-28]', async () => {
  const { device, idTag, client, id } = await asked();
  await device.stop(0, 1_200, {
    idTag,
    transactionData: [
      {
        timestamp: new Date().toISOString(),
        sampledValue: [
          { value: '1000', context: 'Transaction.Begin', unit: 'Wh' },
          { value: '1200', context: 'Transaction.End', unit: 'Wh' },
        ],
      },
    ],
  });
  const ended = await vi.waitFor(
    async () => {
      const operation = await look(client, id);
      expect(['finished', 'failed']).toContain(operation.status);
      return operation;
    },
    { timeout: 15_000 },
  );
  expect(ended).toMatchObject({ status: 'finished', energy: 200, total: 3_00 });
  expect(await balance(client)).toBe(1000_00 - 3_00);
});

test('field problem 53: a refused start is tried again and then everything is returned, with its log', async () => {
  const station = await stack.addScripted();
  station.device.replies.RemoteStartTransaction = { status: 'Rejected' };
  const { client } = await stack.driver(100_00);
  const { body } = await stack.pay(client, { connector: station.connector, amount: '100' });
  const id = Number(body.page_url.slice(2));
  await stack.until(client, id, 'failed', 30_000);
  expect(await balance(client)).toBe(100_00);
  expect(station.device.commands.filter(({ action }) => action === 'RemoteStartTransaction').length).toBe(3);
  expect((await logOf(id)).at(-1)).toMatch(/starting → failed: the station refused/);
}, 40_000);

test('a connector that faults before power flows fails the operation at once [MACH-11]', async () => {
  const { device, client, id } = await asked();
  await device.status(1, 'Faulted', 'GroundFailure');
  expect(await stack.until(client, id, 'failed')).toMatchObject({ payment_status: 'reversed' });
  expect(await balance(client)).toBe(1000_00);
});

test('field problem 51: a start at a station that is gone fails within the grace period, is never sent later, money back [MACH-11]', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver(100_00);
  await station.device.close();
  const { body } = await stack.pay(client, { connector: station.connector, amount: '100' });
  const id = Number(body.page_url.slice(2));
  const waiting = stack.db.selectFrom('operations').select('start_phase').where('id', '=', id);
  await vi.waitFor(async () => expect((await waiting.executeTakeFirstOrThrow()).start_phase).toBe('offline'));
  // As if the grace period were over.
  await sql`update operations set next_action_at = now() where id = ${id}`.execute(stack.db);
  const failed = await stack.until(client, id, 'failed');
  expect(failed.failure_reason).toMatch(/offline/);
  expect(await balance(client)).toBe(100_00);
  const back = await station.connect();
  await back.status(1, 'Preparing');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(back.commands.some(({ action }) => action === 'RemoteStartTransaction')).toBe(false);
});

test('field problem 15: a new charge on the connector closes a forgotten one on its last reading', async () => {
  const first = await charging();
  await first.device.meter(1, first.transactionId, 1_180);
  await vi.waitFor(async () => expect((await look(first.client, first.id)).energy).toBe(180), { timeout: 15_000 });
  // An unknown card starts at the same connector: the old transaction must be closed, whether or not its stop arrives.
  const stranger = await first.device.start(1, 'CAFE0001', 1_200);
  expect(stranger.idTagInfo.status).toBe('Invalid');
  expect(await stack.until(first.client, first.id, 'finished')).toMatchObject({ energy: 180, total: 2_70 });
  expect(await balance(first.client)).toBe(1000_00 - 2_70);
});

test('field problem 54 and late money: a hold that comes after the driver canceled is released [MACH-17]', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const paid = await stack.pay(client, { connector: station.connector, amount: '100', payment_type: 'card' });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  // Both happen at the same moment: the driver cancels on our page and pays on the bank's.
  await Promise.all([
    client.call(stopOperation, { params: { id: String(id) } }),
    stack.payAtBank(paid.body.page_url).catch(() => {}),
  ]);
  await stack.until(client, id, 'canceled');
  await vi.waitFor(
    async () => expect(['reversed', 'expired', 'failure']).toContain((await look(client, id)).hold_status),
    { timeout: 20_000 },
  );
  await stack.checkBooks();
}, 40_000);

test('the limit stops the charge: the stop is planned ahead and the total never exceeds the deposit', async () => {
  // 3 UAH at 15 UAH/kWh are 200 Wh, which take twelve seconds at 60 kW.
  const station = await stack.addStation({ speed: 1, powerW: 60_000 });
  await stack.plugIn(station);
  const { client } = await stack.driver(100_00);
  const { body } = await stack.pay(client, { connector: station.connector, amount: '3' });
  const id = Number(body.page_url.slice(2));
  await stack.until(client, id, 'ongoing', 30_000);
  const finished = await stack.until(client, id, 'finished', 60_000);
  expect(finished.total).toBeLessThanOrEqual(3_00);
  expect(finished.energy).toBeGreaterThan(100);
  const row = await stack.db
    .selectFrom('operations')
    .select('stop_cause')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row.stop_cause).toBe('limit');
}, 100_000);
