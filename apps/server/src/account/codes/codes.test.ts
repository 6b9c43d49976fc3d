import { enterCode, requestCode } from '@fpay/contract/sign-up';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountServer, startAccountServer, type Visitor } from '../testing/accounts.ts';

const minuteMs = 60_000;
let server: AccountServer;
let lines: string[];
beforeAll(async () => {
  lines = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  server = await startAccountServer({ log, settings: { codes: { allowedPrefixes: ['+380', '+48'], mostADay: 60 } } });
});
afterAll(() => server.close());

const ask = (visitor: Visitor, phone: string) => visitor.call(requestCode, { body: { phone_number: phone } });
const enter = (visitor: Visitor, phone: string, code: string) =>
  visitor.call(enterCode, { body: { phone_number: phone, code } });
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('one code per 30 s and 5 an hour for a phone, from any caller [OTP-06]', async () => {
  const phone = server.phone();
  expect((await ask(server.visitor(), phone)).status).toBe(200);
  const soon = await ask(server.visitor(), phone);
  expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '30']);
  for (let sent = 1; sent < 5; sent += 1) {
    server.later(30_000);
    expect((await ask(server.visitor(), phone)).status).toBe(200);
  }
  server.later(30_000);
  const sixth = await ask(server.visitor(), phone);
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(50 * 60);
  expect(await server.sms(phone)).toHaveLength(5);
  server.later(60 * minuteMs);
  expect((await ask(server.visitor(), phone)).status).toBe(200);
});

test('10 codes an hour from one address, however many phones [OTP-06]', async () => {
  const visitor = server.visitor();
  for (let sent = 0; sent < 10; sent += 1) expect((await ask(visitor, server.phone())).status).toBe(200);
  const eleventh = await ask(visitor, server.phone());
  expect([eleventh.status, Number(eleventh.headers.get('retry-after'))]).toEqual([429, 3600]);
});

test('codes are sent only to countries that are allowed [OTP-06]', async () => {
  const foreign = await ask(server.visitor(), '+79161234567');
  expect([foreign.status, foreign.body.errors]).toEqual([422, { phone_number: ['Phone number is invalid!'] }]);
  expect((await ask(server.visitor(), '+48512345678')).status).toBe(200);
});

test('5 wrong entries burn a code, tried one by one or all at once [OTP-07]', async () => {
  const [visitor, rusher] = [server.visitor(), server.visitor()];
  const [phone, second] = [server.phone(), server.phone()];
  await ask(visitor, phone);
  const code = await server.code(phone);
  for (let entry = 0; entry < 5; entry += 1) expect((await enter(visitor, phone, other(code))).status).toBe(422);
  expect(await enter(visitor, phone, code)).toMatchObject({ status: 422, body: { code: 'wrong_code' } });

  await ask(rusher, second);
  const right = await server.code(second);
  const guesses = await Promise.all(Array.from({ length: 20 }, () => enter(rusher, second, other(right))));
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([422]));
  expect((await enter(rusher, second, right)).status).toBe(422);
  const row = await server.db
    .selectFrom('phone_proofs')
    .select('entries')
    .where('phone_number', '=', second)
    .executeTakeFirstOrThrow();
  expect(row.entries).toBe(5);
});

test('a code is valid for 5 minutes and counts once [OTP-07]', async () => {
  const visitor = server.visitor();
  const phone = server.phone();
  await ask(visitor, phone);
  server.later(5 * minuteMs);
  expect((await enter(visitor, phone, await server.code(phone))).status).toBe(422);
  await ask(visitor, phone);
  const code = await server.code(phone);
  server.later(5 * minuteMs - 1_000);
  expect((await enter(visitor, phone, code)).status).toBe(200);
  expect((await enter(visitor, phone, code)).status).toBe(422);
});

test('a code is stored hashed with the secret of the server and logged nowhere [OTP-07]', async () => {
  const visitor = server.visitor();
  const phone = server.phone();
  await ask(visitor, phone);
  const code = await server.code(phone);
  await enter(visitor, phone, other(code));
  const rows = await server.db.selectFrom('phone_proofs').selectAll().where('phone_number', '=', phone).execute();
  expect(rows[0]?.code_hash).toHaveLength(32);
  expect(JSON.stringify(rows)).not.toContain(code);
  expect(lines.some((line) => line.includes('one-time code refused'))).toBe(true);
  expect(lines.join('')).not.toMatch(new RegExp(`${code}|${other(code)}|${phone.slice(1)}`));
});

test('a code is not accepted for another phone, nor in another session', async () => {
  const [visitor, thief] = [server.visitor(), server.visitor()];
  const [phone, another] = [server.phone(), server.phone()];
  await ask(visitor, phone);
  await ask(visitor, another);
  const code = await server.code(phone);
  if (code !== (await server.code(another))) expect((await enter(visitor, another, code)).status).toBe(422);
  expect((await enter(thief, phone, code)).status).toBe(422);
  // A stranger's guesses do not burn it for its owner.
  for (let entry = 0; entry < 6; entry += 1) await enter(thief, phone, other(code));
  expect((await enter(visitor, phone, code)).status).toBe(200);
});

test('a driver who uses another language gets the message in it', async () => {
  const phone = server.phone();
  await server.visitor().call(requestCode, { body: { phone_number: phone, language: 'pl' } });
  expect(await server.sms(phone)).toEqual([expect.stringMatching(/^FPay: kod \d{6}\. Nikomu go nie podawaj\.$/)]);
});

test('an SMS that cannot be sent is reported; one without an answer leaves the code valid and is not repeated', async () => {
  const [refusedPhone, badPhone, silent] = [server.phone(), server.phone(), server.phone()];
  await server.switchSms({ phone: refusedPhone, send: 'refused:203' });
  const failed = await ask(server.visitor(), refusedPhone);
  expect([failed.status, failed.body.code]).toEqual([500, 'sms_not_sent']);
  expect(lines.some((line) => line.includes('"alert":"sms_operator"') && line.includes('"answer":203'))).toBe(true);
  await server.switchSms({ phone: badPhone, send: 'refused:305' });
  const bad = await ask(server.visitor(), badPhone);
  expect([bad.status, bad.body.errors]).toEqual([422, { phone_number: ['Phone number is invalid!'] }]);
  // An invalid answer may hide a message that arrived, so the driver continues to the page that accepts the code.
  await server.switchSms({ phone: silent, send: 'garbage' });
  expect((await ask(server.visitor(), silent)).status).toBe(200);
  const waiting = await server.db
    .selectFrom('phone_proofs')
    .select('code_hash')
    .where('phone_number', '=', silent)
    .executeTakeFirstOrThrow();
  expect(waiting.code_hash).not.toBeNull();
});

test("above the network's daily cap no code is sent, and an alert is logged [OTP-06]", async () => {
  let last = 200;
  for (let sent = 0; sent < 61 && last !== 429; sent += 1) last = (await ask(server.visitor(), server.phone())).status;
  expect(last).toBe(429);
  expect(lines.some((line) => line.includes('"alert":"sms_daily_cap"'))).toBe(true);
});
