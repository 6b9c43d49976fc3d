import { getOperation } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

/** A device's clock dates a charge only where it can be right. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

async function startedAt(seconds: number) {
  const fixture = await stack.askedToStart();
  const stamp = new Date(Date.now() + seconds * 1_000).toISOString();
  const { transactionId, idTagInfo } = await fixture.device.start(1, fixture.idTag, 1_000, stamp);
  expect(idTagInfo.status).toBe('Accepted');
  const { body } = await fixture.client.call(getOperation, { params: { id: String(fixture.id) } });
  const transaction = await stack.db
    .selectFrom('ocpp_transactions')
    .select(['started_at', 'is_clock_skewed'])
    .where('id', '=', transactionId)
    .executeTakeFirstOrThrow();
  const began = Date.parse(body.started_at ?? '');
  return { created: Date.parse(body.created_at), began, transaction, stamp: Date.parse(stamp), fixture, transactionId };
}

test('a clock two hours slow on its first connection does not date our own start before the payment', async () => {
  const { created, began, transaction, fixture, transactionId } = await startedAt(-2 * 3_600);
  expect(began).toBeGreaterThanOrEqual(created);
  expect(began).toBeLessThanOrEqual(Date.now());
  expect(transaction).toEqual({ started_at: new Date(began), is_clock_skewed: true });
  await fixture.device.stop(transactionId, 1_150);
  expect(await stack.until(fixture.client, fixture.id, 'finished')).toMatchObject({ energy: 150, total: 2_25 });
});

test('a clock a minute slow does not either, and is not an anomaly', async () => {
  const { created, began, transaction } = await startedAt(-60);
  expect(began).toBeGreaterThanOrEqual(created);
  expect(transaction).toEqual({ started_at: new Date(began), is_clock_skewed: false });
});

test('a clock three minutes fast does not date a charge into the future', async () => {
  const { created, began } = await startedAt(180);
  expect(began).toBeGreaterThanOrEqual(created);
  expect(began).toBeLessThanOrEqual(Date.now());
});
