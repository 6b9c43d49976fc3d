import { signIn } from '@fpay/contract/account';
import { editUser } from '@fpay/contract/profile';
import { enterSecondFactor, sendSecondFactor } from '@fpay/contract/second-factor';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AccountServer, password, startAccountServer } from '../account/testing/accounts.ts';

let server: AccountServer;
beforeAll(async () => {
  server = await startAccountServer({ isWorker: true, settings: { hasSecondFactor: true } });
});
afterAll(() => server.close());

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 100 });
const telegram = (path: string, body?: object) =>
  fetch(`${server.sandboxUrl}/telegram${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const lastTo = async (chat: number): Promise<string> => {
  const { messages } = (await (await telegram(`/users/${chat}/messages`)).json()) as { messages: { text: string }[] };
  return messages.at(-1)?.text ?? '';
};

test('a changed password is reported by SMS to the number of the account, in its language [EDIT-08]', async () => {
  const driver = await server.signedIn();
  await driver.call(editUser, {
    params: { id: String(driver.id) },
    body: { language: 'en', password: 'another-secret', current_password: password },
  });
  // The SMS is in the language that the account had when the change was made.
  await eventually(async () =>
    expect(await server.sms(driver.phone)).toEqual([expect.stringContaining('пароль змінено')]),
  );
});

test('an SMS that the provider cannot accept now is retried until it can', async () => {
  const phone = server.phone();
  await server.switchSms({ phone, send: 'refused:503 x1' });
  await server.steps.run((step) => server.messages.sendSms(step, phone, 'Hello'));
  await vi.waitFor(async () => expect(await server.sms(phone)).toEqual(['Hello']), { timeout: 18_000, interval: 200 });
});

test('staff with Telegram get the second factor there; when it cannot be delivered, by SMS [AUTH-19]', async () => {
  const staff = await server.addUser('Support');
  const chat = 900_000_001;
  await telegram(`/users/${chat}/messages`, { text: 'hello' });
  await server.db.updateTable('users').set({ telegram_id: chat, language: 'en' }).where('id', '=', staff.id).execute();
  const visitor = server.visitor();
  await visitor.call(signIn, { body: { phone_number: staff.phone, password } });
  expect((await visitor.call(sendSecondFactor)).body).toEqual({ sent_by: 'telegram' });
  const text = await lastTo(chat);
  expect(text).toMatch(/^Sign-in code: \d{6}\. Do not share it with anyone\.$/);
  const code = /\d{6}/.exec(text)?.[0] ?? '';
  expect((await visitor.call(enterSecondFactor, { body: { code } })).body.role).toBe('Support');

  await telegram(`/users/${chat}/block`, {});
  server.later(31_000);
  const again = server.visitor();
  await again.call(signIn, { body: { phone_number: staff.phone, password } });
  expect((await again.call(sendSecondFactor)).body).toEqual({ sent_by: 'sms' });
  expect(await server.sms(staff.phone)).toHaveLength(1);
});

test('a bot that Telegram throttles waits as long as Telegram requires, and the message still arrives', async () => {
  const { id } = await server.addUser();
  const chat = 900_000_002;
  await telegram(`/users/${chat}/messages`, { text: 'hello' });
  await server.db.updateTable('users').set({ telegram_id: chat }).where('id', '=', id).execute();
  await telegram('/switches', { user: chat, floodSeconds: 1 });
  await server.steps.run((step) => server.messages.sendTelegram(step, id, 'Late but there'));
  setTimeout(() => void telegram('/switches', { user: chat, floodSeconds: 0 }), 500);
  await eventually(async () => expect(await lastTo(chat)).toBe('Late but there'));
});
