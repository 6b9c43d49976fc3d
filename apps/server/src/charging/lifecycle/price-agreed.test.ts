import { activeOperations, newPayment } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const changeTariff = (connector: number, price: number) =>
  sql`update tariffs set price = ${price} where id = (select tariff_id from connectors where id = ${connector})`.execute(
    stack.db,
  );

test('a price other than the tariff now is refused with the new one; nothing is opened until the driver agrees to it', async () => {
  const station = await stack.addScripted({ price: 15_00 });
  const { client } = await stack.driver(100_00);
  const pay = (price?: number) =>
    client.call(newPayment, {
      body: {
        amount: '50',
        payment_type: 'balance',
        target: 'uah',
        connector: station.connector,
        ...(price === undefined ? {} : { price: price as never }),
      },
    });
  await changeTariff(station.connector, 18_00);
  expect(await pay(15_00)).toMatchObject({ status: 409, body: { code: 'price_changed', price: 18_00 } });
  expect((await client.call(activeOperations)).body).toEqual([]);
  expect((await pay(18_00)).status).toBe(200);
});

test('an invoice at the old price is not resumed by a driver who agreed to the new one', async () => {
  const station = await stack.addScripted({ price: 15_00 });
  const { client } = await stack.driver();
  const pay = (price: number) =>
    client.call(newPayment, {
      body: {
        amount: '50',
        payment_type: 'card',
        target: 'uah',
        connector: station.connector,
        price: price as never,
      },
    });
  const first = await pay(15_00);
  expect((await pay(15_00)).body.page_url).toBe(first.body.page_url);
  await changeTariff(station.connector, 18_00);
  const second = await pay(18_00);
  expect([second.status, second.body.page_url === first.body.page_url]).toEqual([200, false]);
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  const { price } = await stack.db
    .selectFrom('operations')
    .select('price')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(price).toBe(18_00);
});

test('a caller that sends no price gets the current tariff', async () => {
  const station = await stack.addScripted({ price: 15_00 });
  const { client } = await stack.driver(100_00);
  expect((await stack.pay(client, { connector: station.connector, amount: '50' })).status).toBe(200);
});
