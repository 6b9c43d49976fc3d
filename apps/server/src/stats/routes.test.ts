import type { OperationStatus } from '@fpay/contract/charging';
import { getHistory, getStats, historyRanges } from '@fpay/contract/history';
import { kopecks } from '@fpay/contract/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountServer, startAccountServer } from '../account/testing/accounts.ts';
import { addOperation } from '../testing/operation.ts';
import { type AccountId, network } from '../wallet/transfer.ts';

let server: AccountServer;
beforeAll(async () => {
  // Sunday, 15 November 2026, noon in Kyiv.
  server = await startAccountServer();
});
afterAll(() => server.close());

type Driver = Awaited<ReturnType<AccountServer['signedIn']>>;

async function charge(
  driver: Driver,
  at: string,
  given: { status?: OperationStatus; energy_wh?: number; total?: number } = {},
) {
  const id = await addOperation(server, driver.id, 'finished');
  await server.db
    .updateTable('operations')
    .set({ energy_wh: 10_000, total: 150_00, ...given, created_at: new Date(at) })
    .where('id', '=', id)
    .execute();
  return id;
}

async function ids(driver: Driver): Promise<Record<string, number[]>> {
  const answers = await Promise.all(
    historyRanges.map(async (range) => [range, (await driver.call(getHistory, { params: { range } })).body] as const),
  );
  return Object.fromEntries(answers.map(([range, items]) => [range, items.map((item: { id: number }) => item.id)]));
}

test('each of the six ranges lists the operations that began in it, newest first, whenever they ended [API-32]', async () => {
  const driver = await server.signedIn();
  const lastYear = await charge(driver, '2025-11-15T10:00:00Z');
  const spring = await charge(driver, '2026-03-01T10:00:00Z');
  const october = await charge(driver, '2026-10-31T21:30:00Z');
  // It ended after the border of the month.
  const times = { started_at: new Date('2026-10-31T21:31:00Z'), finished_at: new Date('2026-10-31T23:10:00Z') };
  await server.db.updateTable('operations').set(times).where('id', '=', october).execute();
  // Half past midnight in Kyiv is still October in UTC.
  const november = await charge(driver, '2026-10-31T22:30:00Z');
  const lastWeek = await charge(driver, '2026-11-04T10:00:00Z');
  const monday = await charge(driver, '2026-11-08T22:05:00Z', { status: 'canceled', energy_wh: 0, total: 0 });
  const today = await charge(driver, '2026-11-15T09:00:00Z', { status: 'pending_final_payment' });
  await addOperation(server, driver.id, 'ongoing');
  const stranger = await server.signedIn();
  await charge(stranger, '2026-11-15T09:00:00Z');
  expect(await ids(driver)).toEqual({
    week: [today, monday],
    lastWeek: [lastWeek],
    month: [today, monday, lastWeek, november],
    lastMonth: [october],
    year: [today, monday, lastWeek, november, october, spring],
    lastYear: [lastYear],
  });
});

test('a history item has the date and time of Kyiv, its station, energy and total; a deleted car keeps its name [ENT-16] [CAR-08]', async () => {
  const driver = await server.signedIn();
  const operation = await charge(driver, '2026-11-14T23:10:00Z');
  const car = await server.steps.run((step) =>
    server.accounts.users.addCar(step, driver.id, {
      name: 'Old Leaf',
      battery: 24,
      manufacturer: null,
      model: null,
      plate: null,
      vin: null,
    }),
  );
  await server.db.updateTable('operations').set({ car_id: car }).where('id', '=', operation).execute();
  await server.db.updateTable('cars').set({ deleted_at: new Date() }).where('id', '=', car).execute();
  const { body } = await driver.call(getHistory, { params: { range: 'week' } });
  expect(body).toEqual([
    {
      id: operation,
      date: '2026-11-15',
      time: '01:10',
      car_id: car,
      car_name: 'Old Leaf',
      station_number: expect.stringMatching(/^F[0-9A-F]+$/),
      address: expect.any(String),
      address_uk: expect.any(String),
      connector_type: expect.any(String),
      minutes: null,
      card: null,
      has_receipt: false,
      energy: 10_000,
      total: 150_00,
      status: 'finished',
      refunded: null,
      payment_type: 'bank',
    },
  ]);
});

test('a charge begins in the history when power began to flow, and has at least one minute [HIST-05]', async () => {
  const driver = await server.signedIn();
  const operation = await charge(driver, '2026-11-14T21:58:50Z');
  const times = { started_at: new Date('2026-11-14T22:00:10Z'), finished_at: new Date('2026-11-14T22:00:30Z') };
  await server.db.updateTable('operations').set(times).where('id', '=', operation).execute();
  const { body } = await driver.call(getHistory, { params: { range: 'week' } });
  expect(body).toMatchObject([{ date: '2026-11-15', time: '00:00', minutes: 1 }]);
});

test('stats of each range count from 1, with the present index and the length of a month [API-33] [ENT-17] [ENT-18]', async () => {
  const driver = await server.signedIn();
  await charge(driver, '2025-02-10T10:00:00Z');
  await charge(driver, '2026-10-05T10:00:00Z');
  await charge(driver, '2026-11-03T10:00:00Z');
  await charge(driver, '2026-11-15T09:00:00Z', { status: 'pending_final_payment', total: 99_00 });
  await charge(driver, '2026-11-15T09:30:00Z', { status: 'failed', energy_wh: 0, total: 0 });
  const paid = { energy: 10_000, total: 150_00, refunded: 0, car: null, isPaid: true };
  const debt = { energy: 10_000, total: 99_00, refunded: 0, car: null, isPaid: false };
  const of = async (range: (typeof historyRanges)[number]) => {
    const { now, length, transactions } = (await driver.call(getStats, { params: { range } })).body;
    return { now, length, transactions };
  };
  expect(await of('week')).toEqual({ now: 7, transactions: [{ timestamp: 7, ...debt }] });
  expect(await of('lastWeek')).toEqual({ now: 0, transactions: [{ timestamp: 2, ...paid }] });
  expect(await of('month')).toEqual({
    now: 15,
    length: 30,
    transactions: [
      { timestamp: 15, ...debt },
      { timestamp: 3, ...paid },
    ],
  });
  expect(await of('lastMonth')).toEqual({ now: 0, length: 31, transactions: [{ timestamp: 5, ...paid }] });
  expect((await of('year')).transactions.map(({ timestamp }: { timestamp: number }) => timestamp)).toEqual([
    11, 11, 10,
  ]);
  expect(await of('lastYear')).toEqual({ now: 0, transactions: [{ timestamp: 2, ...paid }] });
});

const reserveOf = (operation: number, wallet: AccountId) =>
  server.steps.run((step) => server.ledger.openReserve(step, operation, wallet));

test('the total of an operation is what it cost after refunds and reversals, in history and in statistics [STAT-09]', async () => {
  const driver = await server.signedIn();
  const pay = (operation: number, captured: number, refunded: number, method: 'bank' | 'bonuses' = 'bank') =>
    server.db
      .insertInto('payments')
      .values({
        operation_id: operation,
        user_id: driver.id,
        purpose: 'operation',
        method,
        status: 'success',
        amount: 300_00,
        captured,
        refunded,
        description: 'A charge',
        created_at: new Date(),
      })
      .execute();
  const refunded = await charge(driver, '2026-11-15T09:00:00Z');
  await pay(refunded, 150_00, 50_00);
  const corrected = await charge(driver, '2026-11-15T08:00:00Z', { total: 90_00 });
  await pay(corrected, 150_00, 60_00);
  const all = await charge(driver, '2026-11-15T07:00:00Z');
  await pay(all, 150_00, 150_00);
  const untouched = await charge(driver, '2026-11-15T06:00:00Z');
  await pay(untouched, 150_00, 0);
  const reversed = await charge(driver, '2026-11-15T05:00:00Z');
  await pay(reversed, 150_00, 40_00, 'bonuses');

  const net = [100_00, 90_00, 0, 150_00, 110_00];
  const history = await driver.call(getHistory, { params: { range: 'week' } });
  expect(history.body.map(({ id, total }: { id: number; total: number }) => [id, total])).toEqual(
    [refunded, corrected, all, untouched, reversed].toReversed().map((id, index) => [id, net.toReversed()[index]]),
  );
  const { body } = await driver.call(getStats, { params: { range: 'week' } });
  expect(body.transactions.map(({ total }: { total: number }) => total)).toEqual(net.toReversed());
  const back = [50_00, 0, 150_00, 0, 40_00];
  expect(body.transactions.map(({ refunded: amount }: { refunded: number }) => amount)).toEqual(back.toReversed());
});

test('stats contain what the balance earned and spent, less what was returned, and the whole debt', async () => {
  const driver = await server.signedIn();
  const holder = await server.ledger.holder(driver.id);
  if (!holder) throw new Error('no such user');
  const operation = await charge(driver, '2026-11-15T09:00:00Z');
  await charge(driver, '2026-01-05T09:00:00Z', { status: 'pending_final_payment', total: 12_34 });
  const { wallet } = holder;
  const reserve = await reserveOf(operation, wallet);
  const moves = [
    { kind: 'deposit', from: network.clearing, to: wallet, amount: kopecks(500_00) },
    { kind: 'operation_payment', from: wallet, to: reserve, amount: kopecks(200_00), operation },
    { kind: 'operation_return', from: reserve, to: wallet, amount: kopecks(50_00), operation },
  ] as const;
  await server.steps.run((step) =>
    server.wallet.transfer(
      step,
      moves.map((move) => ({ ...move, key: `test:${driver.id}:${move.kind}` })),
    ),
  );
  const { body } = await driver.call(getStats, { params: { range: 'week' } });
  expect(body).toMatchObject({ balance_earned: 500_00, balance_spent: 150_00, debt: 12_34 });
  const before = await driver.call(getStats, { params: { range: 'lastWeek' } });
  expect(before.body).toMatchObject({ balance_earned: 0, balance_spent: 0, debt: 12_34 });
});

test('each driver of a shared wallet sees only their own part; credits by staff count for its owner', async () => {
  const [owner, member] = [await server.signedIn(), await server.signedIn()];
  const wallet = (await server.ledger.holder(owner.id))?.wallet;
  const ownWallet = (await server.ledger.holder(member.id))?.wallet;
  if (!wallet || !ownWallet) throw new Error('no such user');
  const [byOwner, byMember, earlier] = [
    await charge(owner, '2026-11-15T09:00:00Z'),
    await charge(member, '2026-11-15T09:00:00Z'),
    await charge(member, '2026-11-14T09:00:00Z'),
  ];
  const [ofOwner, ofMember, beforeThat] = [
    await reserveOf(byOwner, wallet),
    await reserveOf(byMember, wallet),
    await reserveOf(earlier, ownWallet),
  ];
  const moves = [
    { kind: 'admin', from: network.staff, to: wallet, amount: kopecks(700_00), staff: owner.id },
    { kind: 'deposit', from: network.clearing, to: ownWallet, amount: kopecks(90_00), recipient: member.id },
    { kind: 'operation_payment', from: ownWallet, to: beforeThat, amount: kopecks(60_00), operation: earlier },
    { kind: 'operation_payment', from: wallet, to: ofOwner, amount: kopecks(100_00), operation: byOwner },
    { kind: 'operation_payment', from: wallet, to: ofMember, amount: kopecks(250_00), operation: byMember },
    { kind: 'operation_return', from: ofMember, to: wallet, amount: kopecks(50_00), operation: byMember },
    { kind: 'promo', from: network.promotions, to: wallet, amount: kopecks(40_00), recipient: member.id },
  ] as const;
  await server.steps.run((step) =>
    server.wallet.transfer(
      step,
      moves.map((move, index) => ({ ...move, key: `shared:${owner.id}:${index}` })),
    ),
  );
  await server.db.updateTable('users').set({ wallet_id: wallet }).where('id', '=', member.id).execute();
  const of = async (driver: Driver) => (await driver.call(getStats, { params: { range: 'week' } })).body;
  expect(await of(owner)).toMatchObject({ balance_earned: 700_00, balance_spent: 100_00 });
  // Includes the member's own wallet before another was lent to them.
  expect(await of(member)).toMatchObject({ balance_earned: 130_00, balance_spent: 260_00 });
});

test('an unknown range is not found; a guest has no history', async () => {
  const driver = await server.signedIn();
  expect((await driver.client.get('/api/user/history/forever')).status).toBe(404);
  const guest = await server.signedIn('Guest');
  expect((await guest.call(getHistory, { params: { range: 'week' } })).status).toBe(403);
});
