import { getUser } from '@fpay/contract/account';
import { activeOperations, getOperation, stopOperation } from '@fpay/contract/charging';
import { feedbackAllowed, giveFeedback } from '@fpay/contract/feedback';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

const idOf = (pageUrl: string) => Number(pageUrl.split(':')[1]);

test('a driver pays from the balance, charges, stops, and gets the rest back [API-46] [API-47] [PAY-26] [MACH-04] [MACH-14]', async () => {
  const station = await stack.addStation();
  await stack.plugIn(station);
  const { client } = await stack.driver(500_00);
  const paid = await stack.pay(client, { connector: station.connector, amount: '300' });
  expect([paid.status, paid.body.page_url]).toEqual([200, expect.stringMatching(/^s:\d+$/)]);
  const id = idOf(paid.body.page_url);
  expect((await client.call(getUser)).body).toMatchObject({ balance: 200_00, active_operations: [id] });

  const ongoing = await stack.until(client, id, 'ongoing');
  expect(ongoing).toMatchObject({
    number: station.number,
    amount: 300_00,
    payment_type: 'bonuses',
    start_attempt: 1,
    hold_status: 'hold',
  });
  expect((await client.call(activeOperations)).body).toMatchObject([
    { id, status: 'ongoing', connectorAddress: '1', deposit: 300_00 },
  ]);
  await vi.waitFor(
    async () =>
      expect((await client.call(getOperation, { params: { id: String(id) } })).body.energy).toBeGreaterThan(0),
    { timeout: 10_000 },
  );

  const stopped = await client.call(stopOperation, { params: { id: String(id) } });
  expect(['finishing', 'finished']).toContain(stopped.body.status);
  const finished = await stack.until(client, id, 'finished');
  expect(finished.total).toBe(Math.floor((finished.energy * 15_00 + 500) / 1000));
  expect(finished).toMatchObject({ payment_status: 'success', hold_status: 'success', stop_requested: true });
  expect((await client.call(getUser)).body).toMatchObject({ balance: 500_00 - finished.total, active_operations: [] });
  await stack.checkBooks();

  const about = { charging_operation_id: id };
  expect((await client.call(feedbackAllowed, { body: about })).body).toEqual({ allow: 'ALLOW' });
  expect((await client.call(giveFeedback, { body: { ...about, rating: 5, comment: ' Швидко ' } })).status).toBe(204);
  expect((await client.call(feedbackAllowed, { body: about })).body).toEqual({ allow: 'DENY_RATED' });
  expect((await client.call(getOperation, { params: { id: String(id) } })).body).toMatchObject({
    rating: 5,
    rating_comment: 'Швидко',
  });
});

test('a guest pays by card: hold at the bank, charge, capture of what was used [PAY-25] [MACH-13] [MACH-15]', async () => {
  const station = await stack.addStation();
  await stack.plugIn(station);
  const { client } = await stack.driver(0, 'Guest');
  const paid = await stack.pay(client, { connector: station.connector, amount: '200', payment_type: 'card' });
  expect(paid.body.page_url).toMatch(/^http/);
  const [open] = (await client.call(activeOperations)).body;
  const id = open?.id ?? 0;
  expect((await client.call(getOperation, { params: { id: String(id) } })).body).toMatchObject({
    status: 'created',
    page_url: paid.body.page_url,
  });
  await stack.payAtBank(paid.body.page_url);
  await stack.until(client, id, 'ongoing');
  await vi.waitFor(
    async () =>
      expect((await client.call(getOperation, { params: { id: String(id) } })).body.energy).toBeGreaterThan(0),
    { timeout: 10_000 },
  );
  await client.call(stopOperation, { params: { id: String(id) } });
  const finished = await stack.until(client, id, 'finished');
  expect(finished).toMatchObject({ payment_type: 'bank', hold_status: 'success', payment_status: 'success' });
  expect(finished.total).toBeGreaterThan(0);
  await stack.checkBooks();
});

test('the bank declines: failed_hold, no money is moved, the driver may try again [MACH-05]', async () => {
  const station = await stack.addStation();
  await stack.plugIn(station);
  const { client } = await stack.driver();
  const paid = await stack.pay(client, { connector: station.connector, amount: '200', payment_type: 'card' });
  const id = (await client.call(activeOperations)).body[0]?.id ?? 0;
  await stack.payAtBank(paid.body.page_url, 'decline');
  await stack.until(client, id, 'failed_hold');
  const again = await stack.pay(client, { connector: station.connector, amount: '200', payment_type: 'card' });
  expect(again.body.page_url).toMatch(/^http/);
  await stack.checkBooks();
});

test('a free connector starts without any payment [ENT-13] [PAY-26]', async () => {
  const station = await stack.addStation({ price: 0 });
  await stack.plugIn(station);
  const { client } = await stack.driver();
  const paid = await stack.pay(client, { connector: station.connector, amount: '0', payment_type: 'card' });
  const id = idOf(paid.body.page_url);
  await stack.until(client, id, 'ongoing');
  await client.call(stopOperation, { params: { id: String(id) } });
  const finished = await stack.until(client, id, 'finished');
  expect(finished).toMatchObject({ payment_type: 'free', total: 0, hold_status: null, payment_status: null });
});

test('a station that refuses the start gets it three times, then everything is returned [MACH-10]', async () => {
  const station = await stack.addStation({ scenario: 'rejects-start' });
  await stack.plugIn(station);
  const { client } = await stack.driver(100_00);
  const paid = await stack.pay(client, { connector: station.connector, amount: '100' });
  const failed = await stack.until(client, idOf(paid.body.page_url), 'failed', 30_000);
  expect(failed).toMatchObject({ start_attempt: 3, max_attempts: 3, payment_status: 'reversed' });
  expect((await client.call(getUser)).body.balance).toBe(100_00);
  await stack.checkBooks();
}, 40_000);
