import { sendSms, sendTelegram } from '@fpay/contract/admin/users';
import type { Language } from '@fpay/contract/person';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { smsAt } from '../testing/phone.ts';
import { type Stack, startStack } from '../testing/stack.ts';

/** What reaches a phone: the whole product, with the Telegram and the SMS operator of the sandbox. */
let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

let chats = 800_000_000;

/** Telegram on a phone: a person opens the chat with the bot, and an account belongs to it. */
async function telegramOf(user: number, language: Language) {
  chats += 1;
  const chat = chats;
  const url = `${stack.sandboxUrl}/telegram/users/${chat}/messages`;
  const headers = { 'content-type': 'application/json' };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ text: '/start', language_code: language }) });
  await stack.db.updateTable('users').set({ telegram_id: chat, language }).where('id', '=', user).execute();
  return async () => {
    const { messages } = (await (await fetch(url)).json()) as {
      messages: { text: string; from: { is_bot: boolean } }[];
    };
    return messages.filter(({ from }) => from.is_bot).map(({ text }) => text);
  };
}

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 100 });

test('a Telegram message and an SMS by staff arrive on the phone as they were written [ROLE-15] [ADM-USR-16]', async () => {
  const driver = await stack.driver();
  const inTelegram = await telegramOf(driver.id, 'uk');
  // An Analytic sees the page and may do nothing else there.
  const [analytic, support] = [await stack.signedIn('Analytic'), await stack.signedIn('Support')];
  const message = 'Вашу станцію F2001 полагоджено.';
  expect((await analytic.client.call(sendTelegram, { body: { user_id: driver.id, message } })).status).toBe(200);
  expect((await support.client.call(sendSms, { body: { phone_number: driver.phone, message } })).status).toBe(200);
  await eventually(async () => expect((await inTelegram()).at(-1)).toBe(message));
  await eventually(async () => expect(await smsAt(stack.sandboxUrl, driver.phone)).toEqual([message]));
});

test('from plug to the end of a charge the driver reads in Telegram that it began and how it ended [ACC-09]', async () => {
  const { device, client, id, number, idTag, userId } = await stack.askedToStart();
  const inTelegram = await telegramOf(userId, 'pl');
  const last = async () => (await inTelegram()).at(-1);
  const { transactionId } = await device.start(1, idTag, 1_000);
  await eventually(async () => expect(await last()).toBe(`⚡ Ładowanie rozpoczęte: stacja ${number}, operacja ${id}.`));
  await device.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  await eventually(async () =>
    expect(await last()).toBe(`✅ Ładowanie zakończone: stacja ${number}, 0,10 kWh, 1,50 ₴.`),
  );
});

test('a charge that the station refuses is a failure in Telegram, once [ACC-09]', async () => {
  const station = await stack.addScripted();
  const driver = await stack.driver(1000_00);
  const inTelegram = await telegramOf(driver.id, 'en');
  station.device.replies.RemoteStartTransaction = { status: 'Rejected' };
  const { body } = await stack.pay(driver.client, { connector: station.connector, amount: '150' });
  await stack.until(driver.client, Number(body.page_url.slice(2)), 'failed');
  await eventually(async () => expect((await inTelegram()).at(-1)).toMatch(/^⚠️ Charging did not start/));
  const { rows } = await sql<{ kind: string }>`select kind from notices n join operations o on o.id = n.operation_id
    where o.user_id = ${driver.id}`.execute(stack.db);
  expect(rows).toEqual([{ kind: 'failed' }]);
});
