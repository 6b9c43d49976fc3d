import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

/** Starts share a step when nothing about them is unusual. What is unusual about one changes nothing for the others. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

type Asked = Awaited<ReturnType<Stack['askedToStart']>>;

const logOf = async (id: number) => {
  const rows = await stack.db.selectFrom('operation_log').select('text').where('operation_id', '=', id).execute();
  return rows.map(({ text }) => text).filter((text) => text.includes('transaction'));
};
const transactionsOf = (id: number) =>
  stack.db
    .selectFrom('ocpp_transactions')
    .select(['id', 'id_tag_status', 'is_clock_skewed'])
    .where('operation_id', '=', id)
    .execute();

test('a repeat, a wrong clock, a foreign tag and an unknown card beside a usual start are each answered as if they were alone', async () => {
  const asked = await Promise.all(Array.from({ length: 4 }, () => stack.askedToStart()));
  const [usual, repeated, skewed, stolen] = asked as [Asked, Asked, Asked, Asked];
  const other = await stack.addScripted({ connectors: 2 });
  const timestamp = new Date().toISOString();
  const [first, again, same, wrong, foreign, card] = await Promise.all([
    usual.device.start(1, usual.idTag),
    repeated.device.start(1, repeated.idTag, 0, timestamp),
    repeated.device.start(1, repeated.idTag, 0, timestamp),
    skewed.device.start(1, skewed.idTag, 0, '1970-01-01T00:00:12Z'),
    other.device.start(1, stolen.idTag),
    stolen.device.start(1, 'AN UNKNOWN CARD'),
  ]);
  expect(first.idTagInfo.status).toBe('Accepted');
  expect(same).toEqual(again);
  expect(wrong.idTagInfo.status).toBe('Accepted');
  expect(foreign.idTagInfo.status).toBe('Invalid');
  expect(card.idTagInfo.status).toBe('Invalid');
  const transaction = (id: number, isSkewed = false) => [{ id, id_tag_status: 'Accepted', is_clock_skewed: isSkewed }];
  expect(await transactionsOf(usual.id)).toEqual(transaction(first.transactionId));
  expect(await transactionsOf(repeated.id)).toEqual(transaction(same.transactionId));
  expect(await transactionsOf(skewed.id)).toEqual(transaction(wrong.transactionId, true));
  expect(await transactionsOf(stolen.id)).toEqual([]);
  expect(await logOf(usual.id)).toEqual([`starting → ongoing: transaction ${first.transactionId} started`]);
  expect(await logOf(repeated.id)).toEqual([`starting → ongoing: transaction ${same.transactionId} started`]);
});
