import { signIn } from '@fpay/contract/account';
import { sendSecondFactor } from '@fpay/contract/second-factor';
import { requestCode } from '@fpay/contract/sign-up';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountServer, password, startAccountServer, type Visitor } from '../testing/accounts.ts';

const mostADay = 2_000;
const lines: string[] = [];
let smsDelayMs = 0;
let server: AccountServer;
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const settings = { codes: { allowedPrefixes: ['+380', '+48'], mostADay }, hasSecondFactor: true };
  server = await startAccountServer({ log, settings, smsDelayMs: () => smsDelayMs });
});
afterAll(() => server.close());

const counted = async (purpose: string) => {
  const key = `codes:network:${purpose}`;
  const row = await server.db.selectFrom('rate_limits').select('count').where('key', '=', key).executeTakeFirst();
  return row?.count ?? 0;
};
const restoration = (visitor: Visitor, phone: string) =>
  visitor.call(requestCode, { body: { phone_number: phone, purpose: 'restoration' } });
const setCount = (purpose: string, count: number) => {
  const row = { key: `codes:network:${purpose}`, count, resets_at: new Date(server.clock.now().getTime() + 3_600_000) };
  return server.db
    .insertInto('rate_limits')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
};

test("2,000 code requests for unknown numbers do not use up any user's daily cap", {
  timeout: 240_000,
}, async () => {
  // One real message is sent first: requests that send nothing then take as long as it did.
  await restoration(server.visitor(), (await server.addUser()).phone);
  const answers = new Map<string, number>();
  for (let batch = 0; batch < 100; batch += 1) {
    const visitors = [server.visitor(), server.visitor()];
    // One cookie each, not one for each of ten parallel calls.
    await Promise.all(visitors.map(({ client }) => client.get('/sanctum/csrf-cookie')));
    const asked = visitors.flatMap((visitor) => Array.from({ length: 10 }, () => restoration(visitor, server.phone())));
    for (const { status, body } of await Promise.all(asked)) {
      const answer = `${status} ${JSON.stringify(body)}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  }
  expect(answers).toEqual(new Map([['200 {}', 2000]]));
  expect(await counted('restoration')).toBe(1);

  const [driver, staff] = [await server.addUser(), await server.signedIn('Operator')];
  expect((await restoration(server.visitor(), driver.phone)).status).toBe(200);
  expect(await server.sms(driver.phone)).toHaveLength(1);
  const newcomer = server.phone();
  expect((await server.visitor().call(requestCode, { body: { phone_number: newcomer } })).status).toBe(200);
  expect(await server.sms(newcomer)).toHaveLength(1);
  expect((await staff.call(sendSecondFactor)).body).toEqual({ sent_by: 'sms' });
  expect([await counted('restoration'), await counted('sign_up'), await counted('second_factor')]).toEqual([2, 1, 1]);
});

test('a request for an unknown number still counts for the address and for the phone', async () => {
  const phone = server.phone();
  expect((await restoration(server.visitor(), phone)).status).toBe(200);
  expect((await restoration(server.visitor(), phone)).status).toBe(429);
  const visitor = server.visitor();
  for (let time = 0; time < 10; time += 1) expect((await restoration(visitor, server.phone())).status).toBe(200);
  expect((await restoration(visitor, server.phone())).status).toBe(429);
});

test('each purpose has its own cap: sign-ups that used theirs up stop neither restorations nor staff', async () => {
  await setCount('sign_up', mostADay);
  lines.length = 0;
  const signUp = await server.visitor().call(requestCode, { body: { phone_number: server.phone() } });
  expect([signUp.status, signUp.body.code]).toEqual([429, 'too_many_attempts']);
  expect(lines.some((line) => line.includes('"alert":"sms_daily_cap"') && line.includes('"purpose":"sign_up"'))).toBe(
    true,
  );
  const driver = await server.addUser();
  expect((await restoration(server.visitor(), driver.phone)).status).toBe(200);
  await setCount('restoration', mostADay);
  const staff = await server.signedIn('Support');
  expect((await staff.call(sendSecondFactor)).status).toBe(200);
});

test('an SMS that was not sent does not count', async () => {
  const before = await counted('second_factor');
  const { phone } = await server.addUser('Support');
  await server.switchSms({ phone, send: 'refused:203' });
  const staff = server.visitor();
  await staff.call(signIn, { body: { phone_number: phone, password } });
  expect((await staff.call(sendSecondFactor)).body.code).toBe('sms_not_sent');
  expect(await counted('second_factor')).toBe(before);
});

test('a request for an unknown number takes as long as one that sends an SMS', async () => {
  await setCount('restoration', 0);
  const took = async (phone: string) => {
    const began = performance.now();
    expect((await restoration(server.visitor(), phone)).status).toBe(200);
    return performance.now() - began;
  };
  smsDelayMs = 300;
  for (let time = 0; time < 20; time += 1) await took((await server.addUser()).phone);
  for (let time = 0; time < 3; time += 1) expect(await took(server.phone())).toBeGreaterThanOrEqual(295);
});
