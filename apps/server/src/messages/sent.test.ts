import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AccountServer, startAccountServer } from '../account/testing/accounts.ts';

let server: AccountServer;
beforeAll(async () => {
  server = await startAccountServer({ isWorker: true });
});
afterAll(() => server.close());

const wait = { timeout: 15_000, interval: 100 };

async function messagesTo(user: number) {
  return server.db
    .selectFrom('sent_messages')
    .select(['channel', 'text', 'state', 'staff_id'])
    .where('user_id', '=', user)
    .orderBy('id')
    .execute();
}

test('a message of staff is queued with its step, and then has the state that its channel said', async () => {
  const [staff, user, refused] = [await server.addUser('Support'), await server.addUser(), await server.addUser()];
  await server.switchSms({ phone: refused.phone, send: 'refused:404' });
  for (const { phone } of [user, refused])
    await server.messages.staff.sms({ staff: staff.id, text: 'Hello', requestKey: `sent ${phone}` }, phone);
  const states = async () =>
    [...(await messagesTo(user.id)), ...(await messagesTo(refused.id))].map(({ state }) => state);
  await vi.waitFor(async () => expect(await states()).toEqual(['accepted', 'failed']), wait);
  expect(await messagesTo(user.id)).toEqual([{ channel: 'sms', text: 'Hello', state: 'accepted', staff_id: staff.id }]);
});

test('a repeat of the request sends and keeps nothing again', async () => {
  const [staff, user] = [await server.addUser('Support'), await server.addUser()];
  for (let times = 0; times < 2; times++)
    await server.messages.staff.sms({ staff: staff.id, text: 'Once', requestKey: 'once' }, user.phone);
  expect(await messagesTo(user.id)).toHaveLength(1);
});

test('messages are kept for 90 days', async () => {
  const [staff, user] = [await server.addUser('Support'), await server.addUser()];
  await server.messages.staff.sms({ staff: staff.id, text: 'Old', requestKey: 'old' }, user.phone);
  const old = new Date(server.clock.now().getTime() - 91 * 86_400_000);
  await server.db.updateTable('sent_messages').set({ created_at: old }).where('user_id', '=', user.id).execute();
  await server.messages.sweep();
  expect(await messagesTo(user.id)).toEqual([]);
});
