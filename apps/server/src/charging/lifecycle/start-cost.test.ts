import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';
import { shortly, watchTransactions } from '../../testing/statement-log.ts';

/**
 * What one start costs in the database. After a power cut thousands start at once, and each statement more is a fraction of
 * a millisecond of both cores for each of them. A table that grows needs a reason.
 */
let stack: Stack;
const seen = watchTransactions();
beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  seen.end();
  await stack.close();
});

const ofStarts = () => seen.with(/insert into "?ocpp_transactions/);

const usualStart = [
  'lock operations',
  'select connectors',
  'select ocpp_transactions',
  'insert into ocpp_transactions',
  'update operations',
  // Whether a program of others wants to know; one query for all of them.
  'select operations',
  'insert into outbox',
];

/** The answer to the command is stored, so no step of its own has the operation when the start arrives. */
async function readyToStart() {
  const asked = await stack.askedToStart();
  await vi.waitFor(async () => {
    const query = stack.db.selectFrom('operations').select('start_phase').where('id', '=', asked.id);
    expect(await query.executeTakeFirstOrThrow()).toEqual({ start_phase: 'accepted' });
  });
  return asked;
}

test('a start that its operation awaits takes one transaction of seven statements', async () => {
  const { device, idTag } = await readyToStart();
  expect((await device.start(1, idTag)).idTagInfo.status).toBe('Accepted');
  expect(ofStarts().map((texts) => texts.map(shortly))).toEqual([usualStart]);
});

test('the first check of a charge, two seconds after its start, takes one transaction of eight statements', async () => {
  const { device, idTag } = await readyToStart();
  const checks = () => seen.with(/from "?operations"? where id = \$1 and due_claim/);
  const before = checks().length;
  await device.start(1, idTag);
  const check = await vi.waitFor(() => {
    const [first] = checks().slice(before);
    if (!first) throw new Error('not checked yet');
    return first;
  });
  expect(check.map(shortly)).toEqual([
    'lock sites',
    'lock operations',
    'lock operations',
    'select charge_point_links',
    'select connectors',
    'select charge_points',
    'update operations',
    'insert into outbox',
  ]);
});

test('starts that arrive together share the transaction and its statements', async () => {
  const before = ofStarts().length;
  const asked = await Promise.all(Array.from({ length: 12 }, readyToStart));
  const answers = await Promise.all(asked.map(({ device, idTag }) => device.start(1, idTag)));
  expect(new Set(answers.map(({ transactionId }) => transactionId)).size).toBe(12);
  for (const { client, id } of asked) await stack.until(client, id, 'ongoing');
  const shared = ofStarts().slice(before);
  for (const texts of shared) expect(texts.map(shortly)).toEqual(usualStart);
  expect(shared.length).toBeLessThanOrEqual(6);
});
