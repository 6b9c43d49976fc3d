import { randomBytes } from 'node:crypto';
import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, newPayment, stopOperation } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const card = { payment_type: 'card' as const };

test('two drivers at one connector at once: the database accepts one, the other gets 409 [PAY-16]', async () => {
  const station = await stack.addScripted();
  const drivers = await Promise.all(Array.from({ length: 5 }, () => stack.driver(100_00)));
  const answers = await Promise.all(
    drivers.map(({ client }) => stack.pay(client, { connector: station.connector, amount: '100' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  for (const [index, { client }] of drivers.entries()) {
    expect((await client.call(getUser)).body.balance).toBe(answers[index]?.status === 200 ? 0 : 100_00);
  }
  await stack.checkBooks();
});

test('an operation has its first status since it was opened, by the clock of the server', async () => {
  const station = await stack.addScripted();
  const { client, id } = await stack.driver();
  await stack.pay(client, { connector: station.connector, amount: '50', ...card });
  const opened = stack.db.selectFrom('operations').select(['created_at', 'status_at']).where('user_id', '=', id);
  const { created_at, status_at } = await opened.executeTakeFirstOrThrow();
  expect(status_at).toEqual(created_at);
});

test('a connector that is not ready is 409; free is enough where an adapter hides the car [PAY-17]', async () => {
  const ccs = await stack.addScripted();
  await ccs.device.status(1, 'Available');
  const { client } = await stack.driver(100_00);
  expect(await stack.pay(client, { connector: ccs.connector, amount: '50' })).toMatchObject({
    status: 409,
    body: { code: 'connector_not_ready' },
  });
  const chademo = await stack.addScripted({ type: 'chademo' });
  await chademo.device.status(1, 'Available');
  expect((await stack.pay(client, { connector: chademo.connector, amount: '50' })).status).toBe(200);
  for (const status of ['Faulted', 'Unavailable', 'Sleeping']) {
    await ccs.device.status(1, status);
    expect(await stack.pay(client, { connector: ccs.connector, amount: '50' })).toMatchObject({
      status: 409,
      body: { code: 'connector_out_of_service' },
    });
  }
});

test.each([
  ['uk', 'Зарядка, станція'],
  ['en', 'Charging, station'],
  ['pl', 'Ładowanie, stacja'],
] as const)(
  'the payer reads in %s at the bank what is paid for: the service, the station and the connector by its usual name',
  async (language, service) => {
    const station = await stack.addScripted();
    const { client, id } = await stack.driver(0);
    await stack.db.updateTable('users').set({ language }).where('id', '=', id).execute();
    const { body } = await stack.pay(client, { connector: station.connector, amount: '50', ...card });
    const { number } = await stack.db
      .selectFrom('stations')
      .innerJoin('connectors', 'connectors.station_id', 'stations.id')
      .select('stations.number')
      .where('connectors.id', '=', station.connector)
      .executeTakeFirstOrThrow();
    const page = await (await fetch(body.page_url)).text();
    expect(page).toContain(`${service} ${number}, CCS2`);
    expect(page).not.toContain('ccstype2');
  },
);

test('a charger that sends SuspendedEV or SuspendedEVSE instead of Preparing can be started', async () => {
  for (const status of ['SuspendedEV', 'SuspendedEVSE']) {
    const station = await stack.addScripted();
    await station.device.status(1, status);
    const { client } = await stack.driver(100_00);
    const { body } = await stack.pay(client, { connector: station.connector, amount: '50' });
    const { idTag } = await station.device.asked('RemoteStartTransaction');
    const { transactionId } = await station.device.start(1, String(idTag), 1_000);
    await station.device.stop(transactionId, 1_100);
    expect(await stack.until(client, Number(body.page_url.slice(2)), 'finished')).toMatchObject({ energy: 100 });
  }
});

test('a guest has one open operation at a time; a registered user may have several [PAY-18]', async () => {
  const station = await stack.addScripted({ connectors: 3 });
  const [first = 0, second = 0, third = 0] = station.connectors;
  const guest = await stack.driver(0, 'Guest');
  const paid = await stack.pay(guest.client, { connector: first, amount: '50', ...card });
  await stack.payAtBank(paid.body.page_url);
  const id = (await guest.client.call(activeOperations)).body[0]?.id ?? 0;
  await stack.until(guest.client, id, 'starting');
  expect(await stack.pay(guest.client, { connector: second, amount: '50', ...card })).toMatchObject({
    status: 409,
    body: { code: 'operation_open' },
  });
  const user = await stack.driver(100_00);
  expect((await stack.pay(user.client, { connector: second, amount: '50' })).status).toBe(200);
  expect((await stack.pay(user.client, { connector: third, amount: '50' })).status).toBe(200);
});

test('a balance too small is 402 and no money is moved; bad amounts are 422 [PAY-19]', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver(99_99);
  const at = { connector: station.connector };
  expect(await stack.pay(client, { ...at, amount: '100' })).toMatchObject({
    status: 402,
    body: { message: 'Insufficient balance!' },
  });
  for (const amount of ['1.005', '-5', '', 'ten', '0', '1e2']) {
    expect([amount, (await stack.pay(client, { ...at, amount })).status]).toEqual([amount, 422]);
  }
  for (const [target, amount] of [
    ['kwh', '200.01'],
    ['uah', '3000.01'],
    ['kwh', '0.99'],
  ] as const) {
    expect([amount, (await stack.pay(client, { ...at, target, amount, ...card })).status]).toEqual([amount, 422]);
  }
  expect((await stack.pay(client, { ...at, target: 'kwh', amount: '501' })).status).toBe(422);
  // The least is the same by balance as by card, because deposits of a hundredth were repeated to get free energy.
  for (const [target, amount] of [
    ['kwh', '0.99'],
    ['uah', '0.99'],
    ['uah', '0.01'],
  ] as const) {
    expect([amount, (await stack.pay(client, { ...at, target, amount })).status]).toEqual([amount, 422]);
  }
  expect((await client.call(getUser)).body).toMatchObject({ balance: 99_99, active_operations: [] });
  expect(
    (await client.call(newPayment, { body: { amount: '5', payment_type: 'card', target: 'uah', connector: 999_999 } }))
      .status,
  ).toBe(404);
});

test('a guest cannot pay from a balance, an outsider cannot charge at a closed party’s station [PAY-20] [PARTY-17]', async () => {
  const station = await stack.addScripted();
  const guest = await stack.driver(0, 'Guest');
  expect(await stack.pay(guest.client, { connector: station.connector, amount: '5' })).toMatchObject({
    status: 403,
    body: { message: 'Available only to registered users' },
  });
  const [owner, outsider] = [await stack.driver(100_00), await stack.driver(100_00)];
  const party = await stack.db
    .insertInto('parties')
    .values({ name: 'Таксі', owner_id: owner.id, is_closed: true, created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await stack.db
    .insertInto('party_members')
    .values({ user_id: owner.id, party_id: party.id, joined_at: new Date() })
    .execute();
  await stack.db.updateTable('stations').set({ party_id: party.id }).where('number', '=', station.number).execute();
  expect(await stack.pay(outsider.client, { connector: station.connector, amount: '50' })).toMatchObject({
    status: 403,
    body: { code: 'closed_station' },
  });
  expect((await stack.pay(owner.client, { connector: station.connector, amount: '50' })).status).toBe(200);
});

test('an unpaid operation leads back to the same bank page; another amount replaces the invoice [PAY-29]', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const first = await stack.pay(client, { connector: station.connector, amount: '100', ...card });
  const same = await stack.pay(client, { connector: station.connector, amount: '100', ...card });
  expect(same.body.page_url).toBe(first.body.page_url);
  const other = await stack.pay(client, { connector: station.connector, amount: '150', ...card });
  expect(other.body.page_url).not.toBe(first.body.page_url);
  expect((await client.call(activeOperations)).body).toMatchObject([{ status: 'created', deposit: 150_00 }]);
  const elsewhere = await stack.addScripted();
  await stack.pay(client, { connector: elsewhere.connector, amount: '100', ...card });
  expect((await client.call(activeOperations)).body.length).toBe(1);
});

test('the price is fixed when the operation is created, whatever the tariff does later [STN-22]', async () => {
  const station = await stack.addScripted({ price: 15_00 });
  const { client } = await stack.driver(300_00);
  const { body } = await stack.pay(client, { connector: station.connector, amount: '10', target: 'kwh' });
  await stack.db.updateTable('tariffs').set({ price: 99_00 }).where('price', '=', 15_00).execute();
  const operation = (await client.call(getOperation, { params: { id: body.page_url.slice(2) } })).body;
  expect(operation).toMatchObject({ price: 15_00, amount: 150_00, energy_limit: 10_000 });
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  const { transactionId } = await station.device.start(1, String(idTag), 0);
  await station.device.meter(1, transactionId, 100);
  expect((await client.call(getOperation, { params: { id: body.page_url.slice(2) } })).body.total).toBe(1_50);
  await station.device.stop(transactionId, 150);
  expect(await stack.until(client, operation.id, 'finished')).toMatchObject({ price: 15_00, total: 2_25 });
  expect((await client.call(getUser)).body.balance).toBe(300_00 - 2_25);
  await stack.db.updateTable('tariffs').set({ price: 15_00 }).where('price', '=', 99_00).execute();
});

test('the same signed request sent twice opens one operation and pays once', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver(100_00);
  const body = { amount: '60', payment_type: 'balance', target: 'uah', connector: station.connector } as const;
  const nonce = randomBytes(16).toString('base64url');
  const [a, b] = await Promise.all([
    client.call(newPayment, { body }, { nonce }),
    client.call(newPayment, { body }, { nonce }),
  ]);
  expect(a.body).toEqual(b.body);
  expect((await client.call(getUser)).body).toMatchObject({ balance: 40_00, active_operations: [expect.any(Number)] });
});

test('after five failed holds within an hour the sixth try is 429 [PAY-31]', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const paid = await stack.pay(client, { connector: station.connector, amount: '100', ...card });
    const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
    await stack.payAtBank(paid.body.page_url, 'decline');
    await stack.until(client, id, 'failed_hold');
  }
  const refused = await stack.pay(client, { connector: station.connector, amount: '100', ...card });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
}, 60_000);

test('canceled on the bank’s page, or on ours before paying: canceled, no money is moved [MACH-06]', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const atBank = await stack.pay(client, { connector: station.connector, amount: '100', ...card });
  const first = (await client.call(activeOperations)).body[0]?.id ?? 0;
  await stack.payAtBank(atBank.body.page_url, 'cancel');
  await stack.until(client, first, 'canceled');
  await stack.pay(client, { connector: station.connector, amount: '100', ...card });
  const second = (await client.call(activeOperations)).body[0]?.id ?? 0;
  expect((await client.call(stopOperation, { params: { id: String(second) } })).body).toEqual({ status: 'canceled' });
  await stack.checkBooks();
});

test('no user sees or stops another driver’s operation', async () => {
  const station = await stack.addScripted();
  const [owner, other] = [await stack.driver(100_00), await stack.driver()];
  const id = (await stack.pay(owner.client, { connector: station.connector, amount: '50' })).body.page_url.slice(2);
  expect((await other.client.call(getOperation, { params: { id } })).status).toBe(404);
  expect((await other.client.call(stopOperation, { params: { id } })).status).toBe(404);
});
