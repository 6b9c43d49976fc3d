import { getUser } from '@fpay/contract/account';
import { signUp } from '@fpay/contract/sign-up';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AccountServer, filled, startAccountServer } from '../../account/testing/accounts.ts';
import type { BotCharge } from './bot.ts';

let server: AccountServer;
let listening: { stop(): Promise<void> };
const charges = new Map<number, BotCharge[]>();
const stopped: [user: number, operation: number][] = [];
beforeAll(async () => {
  server = await startAccountServer({
    isWorker: true,
    openOperations: async (user) => charges.get(user) ?? [],
    stop: async (user, operation) => {
      if (!charges.get(user)?.some(({ id }) => id === operation)) return false;
      stopped.push([user, operation]);
      return true;
    },
  });
  listening = server.messages.start(server.outbox);
});
afterAll(async () => {
  await listening.stop();
  await server.close();
});

let nextId = 600_000_000;

/** A person with Telegram on their phone. */
function person(language = 'uk') {
  nextId += 1;
  const id = nextId;
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const url = `${server.sandboxUrl}/telegram/users/${id}/${path}`;
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  type Message = { message_id: number; text: string; from: { is_bot: boolean }; reply_markup?: Markup };
  type Markup = { inline_keyboard: { text: string; callback_data: string }[][] };
  const messages = async (): Promise<{ messages: Message[]; last_answer: { text?: string } | null }> =>
    (await (await fetch(`${server.sandboxUrl}/telegram/users/${id}/messages`)).json()) as never;
  const received = async () => (await messages()).messages.filter(({ from }) => from.is_bot);
  return {
    id,
    heard: received,
    write: (text: string) => post('messages', { text, first_name: 'Olena', language_code: language }),
    block: () => post('block', {}),
    /** Waits until the newest message of the bot matches. */
    receives: (text: string | RegExp) =>
      vi.waitFor(
        async () => {
          const last = (await received()).at(-1);
          if (text instanceof RegExp) expect(last?.text).toMatch(text);
          else expect(last?.text).toBe(text);
          return last as Message;
        },
        { timeout: 10_000 },
      ),
    /**
     * Sends a text and waits for one more message that matches; an earlier message with the same text does not count.
     */
    async asks(text: string, answer: string | RegExp): Promise<void> {
      const before = (await received()).length;
      await this.write(text);
      await vi.waitFor(async () => expect((await received()).length).toBe(before + 1), { timeout: 10_000 });
      await this.receives(answer);
    },
    async press(text: string): Promise<void> {
      const all = await received();
      const message = all.findLast((one) => one.reply_markup?.inline_keyboard.flat().some((key) => key.text === text));
      const key = message?.reply_markup?.inline_keyboard.flat().find((one) => one.text === text);
      if (!message || !key) throw new Error(`there is no button ${text}`);
      await post('press', { message_id: message.message_id, data: key.callback_data });
    },
    toast: async () => (await messages()).last_answer?.text,
  };
}

const startOf = (link: string) => `/start ${new URL(link).searchParams.get('start')}`;

test('a driver links the bot by the one-time link of their account, after confirming [ACC-07]', async () => {
  const driver = await server.signedIn();
  const olena = person();
  await olena.write(startOf(driver.user.telegram_link));
  await olena.receives(
    `Під’єднати цей Telegram до вашого акаунта? ${driver.user.name}, ${driver.phone.slice(0, 4)}•••${driver.phone.slice(-4)}`,
  );
  expect((await driver.call(getUser)).body.has_telegram).toBe(false);
  await olena.press('Так');
  await olena.receives(/^Готово/);
  const linked = (await driver.call(getUser)).body;
  expect([linked.has_telegram, linked.telegram_link.includes('start=')]).toEqual([true, false]);
  expect(await server.logOf(driver.id)).toContain(`linked Telegram ${olena.id}`);

  // The link is used up, also for another person who found it.
  const thief = person('en');
  await thief.write(startOf(driver.user.telegram_link));
  await thief.receives('This link is not valid. Open a new one in your account.');
});

test('a refusal, an old link, a forged link and a second account for the same Telegram link nothing [ACC-07]', async () => {
  const [driver, second] = [await server.signedIn(), await server.signedIn()];
  const pavlo = person('pl');
  await pavlo.write(startOf(driver.user.telegram_link));
  await pavlo.receives(/^Połączyć ten Telegram/);
  await pavlo.press('Nie');
  await pavlo.receives('Dobrze, nic nie połączono.');
  expect((await driver.call(getUser)).body.has_telegram).toBe(false);

  const token = startOf(driver.user.telegram_link);
  await pavlo.write(`${token.slice(0, -2)}AA`);
  await pavlo.receives(/^Ten link jest nieważny/);
  server.later(30 * 60_000);
  await pavlo.asks(token, /^Ten link jest nieważny/);

  const fresh = (await driver.call(getUser)).body.telegram_link;
  await pavlo.write(startOf(fresh));
  await pavlo.receives(/^Połączyć/);
  await pavlo.press('Tak');
  // From here on the bot uses the account's language.
  await pavlo.receives(/^Gotowe/);
  await pavlo.write(startOf((await second.call(getUser)).body.telegram_link));
  await pavlo.receives(/^Під’єднати/);
  await pavlo.press('Так');
  await pavlo.receives(/^Цей Telegram або акаунт уже під’єднано/);
  expect((await second.call(getUser)).body.has_telegram).toBe(false);
});

test('/start, /status with a stop button, /balance and /unlink are answered [ACC-08]', async () => {
  const driver = await server.signedIn();
  const olena = person('en');
  await olena.write('/start');
  await olena.receives(new RegExp(`^Hello! To link this chat.*/reg/${olena.id}$`));
  for (const command of ['/status', '/balance', '/unlink']) {
    await olena.asks(command, /^This chat is not linked yet/);
  }
  await server.db
    .updateTable('users')
    .set({ language: 'en', telegram_id: olena.id })
    .where('id', '=', driver.id)
    .execute();
  await olena.write('/start');
  await olena.receives(`Hello, ${driver.user.name}! Commands: /status, /balance, /unlink.`);
  await olena.write('/balance');
  await olena.receives('Balance: 0.00 ₴');
  await olena.write('/status');
  await olena.receives('No active sessions.');

  const ongoing = { id: 77, status: 'ongoing', station: 'F1234', energyWh: 12_340, total: 185_10 } as const;
  charges.set(driver.id, [ongoing, { ...ongoing, id: 78, status: 'finishing' }]);
  await olena.write('/status');
  const { reply_markup } = await olena.receives(
    'Station F1234, operation 77: charging, 12.34 kWh, 185.10 ₴\nStation F1234, operation 78: finishing, 12.34 kWh, 185.10 ₴',
  );
  expect(reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toEqual(['Stop No. 77']);
  await olena.press('Stop No. 77');
  await vi.waitFor(async () => expect(await olena.toast()).toBe('Stopping'));
  expect(stopped).toEqual([[driver.id, 77]]);
  // An old button that is pressed once more after the charge has ended.
  charges.delete(driver.id);
  await olena.press('Stop No. 77');
  await vi.waitFor(async () => expect(await olena.toast()).toBe('This session cannot be stopped'));

  await olena.write('/unlink');
  await olena.receives('Telegram is unlinked.');
  expect((await driver.call(getUser)).body.has_telegram).toBe(false);
  await olena.press('Stop No. 77');
  expect(stopped).toHaveLength(1);
});

test('after /reg/{tg} that Telegram account confirms in the bot before it is linked [REG-07]', async () => {
  const olena = person();
  await olena.write('/start');
  await olena.receives(new RegExp(`/reg/${olena.id}$`));
  const visitor = server.visitor();
  const phone = server.phone();
  await server.prove(visitor, phone);
  await visitor.call(signUp, { body: { ...filled(phone), telegram_id: olena.id } });
  const isLinked = async () => {
    const row = await server.db.selectFrom('users').select('telegram_id').where('phone_number', '=', phone).execute();
    return row[0]?.telegram_id === olena.id;
  };
  await olena.receives(/^Під’єднати цей Telegram до вашого акаунта\? Олена Коваль/);
  expect(await isLinked()).toBe(false);
  await olena.press('Так');
  await olena.receives(/^Готово/);
  expect(await isLinked()).toBe(true);
});

test('a driver who blocks the bot gets no messages until they unblock it', async () => {
  const driver = await server.signedIn();
  const olena = person();
  await olena.write('/start');
  await olena.receives(/^Вітаємо/);
  await server.db.updateTable('users').set({ telegram_id: olena.id }).where('id', '=', driver.id).execute();
  await olena.block();
  const isBlocked = async () => (await server.recipients.find(driver.id))?.hasBlockedBot;
  await vi.waitFor(async () => expect(await isBlocked()).toBe(true), { timeout: 5_000 });
  expect(await server.steps.run((step) => server.messages.sendTelegram(step, driver.id, 'Hi'))).toBe(false);
  await olena.write('/start');
  await vi.waitFor(async () => expect(await isBlocked()).toBe(false), { timeout: 5_000 });
  expect(await server.steps.run((step) => server.messages.sendTelegram(step, driver.id, 'Hi'))).toBe(true);
  await olena.receives('Hi');
});

test('an update whose text cannot be stored is dropped, and the next one is answered', async () => {
  const someone = person('en');
  await someone.write('/start a\u0000b');
  await someone.write('/start \ud800');
  await someone.asks('/balance', /./);
  expect((await someone.heard()).length).toBe(1);
});
