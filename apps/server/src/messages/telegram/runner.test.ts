import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AccountServer, startAccountServer } from '../../account/testing/accounts.ts';
import { createLease } from '../../platform/jobs/lease.ts';

let server: AccountServer;
let listening: { stop(): Promise<void> };
beforeAll(async () => {
  server = await startAccountServer({ usesWebhook: true });
  listening = server.messages.start(server.outbox);
});
afterAll(async () => {
  await listening.stop();
  await server.close();
});

const olena = 800_000_001;
const chat = () => `${server.sandboxUrl}/telegram/users/${olena}/messages`;
const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const received = async () => {
  const { messages } = (await (await fetch(chat())).json()) as {
    messages: { text: string; from: { is_bot: boolean } }[];
  };
  return messages.filter(({ from }) => from.is_bot).map(({ text }) => text);
};

test('with a webhook Telegram sends updates, and they are accepted only with its secret [ACC-08]', async () => {
  await post(chat(), { text: '/balance', first_name: 'Olena', language_code: 'en' });
  const answer = "This chat is not linked yet. Open the bot's link in your account.";
  await vi.waitFor(async () => expect(await received()).toEqual([answer]), { timeout: 10_000 });
  const from = { id: olena, is_bot: false, first_name: 'Olena' };
  const message = { message_id: 1, date: 1, chat: { id: olena, type: 'private' }, from, text: '/balance' };
  const update = { update_id: 1, message: { ...message, entities: [{ type: 'bot_command', offset: 0, length: 8 }] } };
  const url = `${server.url}/telegram/webhook`;
  expect((await post(url, update)).status).toBe(401);
  expect((await post(url, update, { 'x-telegram-bot-api-secret-token': 'guess' })).status).toBe(401);
  expect(await received()).toEqual([answer]);
});

test('only one node holds a lease; another gets it when it is released or expires', async () => {
  const [one, other] = [createLease(server.db, 'a-lease'), createLease(server.db, 'a-lease')];
  expect([await one.hold(), await other.hold(), await one.hold()]).toEqual([true, false, true]);
  await one.release();
  expect([await other.hold(), await one.hold()]).toEqual([true, false]);
  await server.db
    .updateTable('leases')
    .set({ until: new Date(0) })
    .where('name', '=', 'a-lease')
    .execute();
  expect([await one.hold(), await other.hold()]).toEqual([true, false]);
});
