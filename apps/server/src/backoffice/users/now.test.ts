import { addNote } from '@fpay/contract/admin/notes';
import { userNow } from '@fpay/contract/admin/user-now';
import { sendSms } from '@fpay/contract/admin/users';
import { newPayment } from '@fpay/contract/charging';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addOperation } from '../../testing/operation.ts';
import { type Stack, startStack } from '../../testing/stack.ts';
import { chargerOutcomeOf } from './now.ts';

let stack: Stack;
let operator: Awaited<ReturnType<Stack['signedIn']>>;
let support: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  stack = await startStack();
  operator = await stack.signedIn('Operator');
  support = await stack.signedIn('Support');
}, 60_000);
afterAll(() => stack.close());

const nowOf = async (id: number, by = support) => (await by.client.call(userNow, { params: { id: String(id) } })).body;

test('a caller who charges: the charge, what the charger answered, and its raw answer only for technicians', async () => {
  const { id, userId } = await stack.startCharge('150');
  const now = await nowOf(userId);
  expect(now.charge).toMatchObject({ id, is_open: true, status: 'ongoing', payment_type: 'bonuses' });
  expect(now.answers).toMatchObject([{ command: 'RemoteStartTransaction', outcome: 'accepted', raw: null }]);
  expect(now).toMatchObject({ money: { held: 0, holds: 0, balance: 850_00, debt: 0 }, failure: null });
  expect((await nowOf(userId, operator)).answers[0]?.raw).toContain('Accepted');
});

test('money that a card holds, and the open charge although a later one has failed', async () => {
  const station = await stack.addScripted();
  const { client, id: user } = await stack.driver();
  const card = { connector: station.connector, amount: '100', payment_type: 'card', target: 'uah' } as const;
  const { body } = await client.call(newPayment, { body: card });
  await stack.payAtBank(body.page_url);
  await station.device.asked('RemoteStartTransaction');
  const { id: open } = await stack.db
    .selectFrom('operations')
    .select('id')
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow();
  const failed = await addOperation(stack, user, 'finished');
  const ended = {
    status: 'failed',
    failure_cause: 'refused',
    failure_reason: 'Rejected',
    closed_at: new Date(),
  } as const;
  await stack.db.updateTable('operations').set(ended).where('id', '=', failed).execute();
  const now = await nowOf(user);
  expect([now.charge?.id, now.money.held, now.money.holds]).toEqual([open, 100_00, 1]);
  expect(now.failure).toMatchObject({ id: failed, cause: 'refused', raw: null });
  expect((await nowOf(user, operator)).failure?.raw).toBe('Rejected');
});

test('debt, notes, and messages with what the channel said of them', async () => {
  const user = await stack.addUser();
  const unpaid = await addOperation(stack, user.id, 'finished');
  const owed = { status: 'pending_final_payment', total: 12_50 } as const;
  await stack.db.updateTable('operations').set(owed).where('id', '=', unpaid).execute();
  const note = { params: { subject: 'user', id: String(user.id) }, body: { text: 'Call after 18:00' } } as const;
  await support.client.call(addNote, note);
  const sms = { phone_number: user.phone, message: 'The money is on its way' };
  expect((await support.client.call(sendSms, { body: sms })).status).toBe(200);
  await vi.waitFor(async () => expect((await nowOf(user.id)).messages[0]?.state).toBe('accepted'), { timeout: 15_000 });
  const now = await nowOf(user.id);
  expect([now.money.debt, now.charge?.status]).toEqual([12_50, 'pending_final_payment']);
  expect(now.notes.map(({ text }) => text)).toEqual(['Call after 18:00']);
  expect(now.messages).toMatchObject([{ channel: 'sms', text: sms.message, state: 'accepted', is_by_staff: true }]);
});

test('a caller without charges, a user who does not exist, and reading that is on record once', async () => {
  const user = await stack.addUser();
  expect(await nowOf(user.id)).toMatchObject({ charge: null, answers: [], failure: null, notes: [], messages: [] });
  expect((await support.client.call(userNow, { params: { id: '999999' } })).status).toBe(404);
  await nowOf(user.id);
  const reads = stack.db.selectFrom('audit').select('id').where('action', '=', 'read.user');
  expect(await reads.where('subject_id', '=', String(user.id)).execute()).toHaveLength(1);
});

test('the answer of a charger in one word', () => {
  const words = [
    chargerOutcomeOf('answered', { status: 'Accepted' }),
    chargerOutcomeOf('answered', {}),
    chargerOutcomeOf('answered', { status: 'Rejected' }),
    chargerOutcomeOf('answered', { status: 'UnlockFailed' }),
    chargerOutcomeOf('error', { code: 'InternalError' }),
    chargerOutcomeOf('timeout', null),
    chargerOutcomeOf('unknown', null),
    chargerOutcomeOf('offline', null),
    chargerOutcomeOf('sent', null),
  ];
  expect(words).toEqual([
    'accepted',
    'accepted',
    'refused',
    'refused',
    'refused',
    'no_answer',
    'no_answer',
    'offline',
    'waiting',
  ]);
});
