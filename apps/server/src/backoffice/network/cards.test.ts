import { bindCard, blockCard, issueCards, networkCards, unblockCard } from '@fpay/contract/admin/network/cards';
import { getRfidData } from '@fpay/contract/rfid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../../testing/stack.ts';

/** Staff issue, bind and block cards, and a charger answers taps accordingly. */
let stack: Stack;
let admin: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  stack = await startStack();
  admin = await stack.signedIn('Admin');
});
afterAll(() => stack.close());

const issue = async (lines: string) => (await admin.client.call(issueCards, { body: { lines } })).body;
const list = async (q = '') => (await admin.client.call(networkCards, { query: { q } })).body;

test('a batch with a wrong line issues nothing and names each line', async () => {
  expect((await issue('04A1B2C3')).issued).toBe(1);
  const { issued, problems } = await issue(
    '04-00-00-01\nnot hex\n04000002;+380000000000\n\n04 00 00 01\n04A1B2C3\n04000003;anna',
  );
  expect(issued).toBe(0);
  expect(problems).toEqual([
    { line: 2, reason: 'bad_number' },
    { line: 3, reason: 'unknown_user' },
    { line: 5, reason: 'repeated' },
    { line: 6, reason: 'exists' },
    { line: 7, reason: 'bad_user' },
  ]);
  expect((await list()).map(({ number }) => number)).toEqual(['•••• B2C3']);
});

test('a tap follows the card: unbound and blocked ones charge nothing, a bound one does', async () => {
  const driver = await stack.driver(500_00);
  const { device } = await stack.addScripted();
  const tap = async () => {
    const answer = await device.call('Authorize', { idTag: '04B0B0B0' });
    return (answer as { idTagInfo: { status: string } }).idTagInfo.status;
  };
  await issue('04b0b0b0');
  const [card] = await list('B0B0');
  const params = { id: String(card?.id) };
  expect(await tap()).toBe('Invalid');

  expect((await admin.client.call(bindCard, { params, body: { user: driver.phone } })).status).toBe(204);
  expect(await tap()).toBe('Accepted');
  expect((await list('B0B0'))[0]).toMatchObject({ number: '•••• B0B0', user: { id: driver.id }, is_blocked: false });
  // Another driver gets it only after it was taken back.
  const other = await stack.driver();
  const again = await admin.client.call(bindCard, {
    params,
    body: { user: String(other.id) },
  });
  expect(again).toMatchObject({ status: 409 });

  expect((await admin.client.call(blockCard, { params })).status).toBe(204);
  expect((await admin.client.call(blockCard, { params })).status).toBe(409);
  expect(await tap()).toBe('Blocked');
  expect((await admin.client.call(unblockCard, { params })).status).toBe(204);
  expect(await tap()).toBe('Accepted');
  expect((await admin.client.call(bindCard, { params, body: { user: null } })).status).toBe(204);
  expect(await tap()).toBe('Invalid');
  expect((await admin.client.call(bindCard, { params, body: { user: '999999' } })).status).toBe(404);
  expect((await admin.client.call(getRfidData)).status).toBe(200);

  const records = stack.db.selectFrom('audit').select('action').where('subject_kind', '=', 'rfid-card');
  const own = await records.where('subject_id', '=', params.id).orderBy('id').execute();
  expect(own.map(({ action }) => action)).toEqual([
    'card.issue',
    'card.bind',
    'card.block',
    'card.unblock',
    'card.bind',
  ]);
});
