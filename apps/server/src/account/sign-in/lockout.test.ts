import { getUser, signIn, signInAsGuest } from '@fpay/contract/account';
import { requestCode, restorePassword } from '@fpay/contract/sign-up';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../passwords/passwords.ts';
import { type AccountServer, password, startAccountServer, type Visitor } from '../testing/accounts.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
let server: AccountServer;
beforeAll(async () => {
  server = await startAccountServer();
});
afterAll(() => server.close());

type From = Pick<Visitor, 'call'>;
const attempt = (visitor: From, phone: string, secret: string, otp?: string) =>
  visitor.call(signIn, { body: { phone_number: phone, password: secret, ...(otp && { otp }) } });
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const codeAsked = [403, 'sign_in_code_required'];

/**
 * As if this many attackers had guessed from as many addresses today, because hashing fifty passwords for each test
 * takes long.
 */
async function attacked(phone: string, count = 50): Promise<void> {
  const resets_at = new Date(server.clock.now().getTime() + dayMs);
  await server.db
    .insertInto('rate_limits')
    .values({ key: `sign-in:phone-day:${phone}`, count, resets_at })
    .execute();
}

test('an attacker from many addresses does not lock a driver out: the right password requires a code, and the code signs in', {
  timeout: 120_000,
}, async () => {
  const { phone, id } = await server.addUser();
  for (let batch = 0; batch < 6; batch += 1) {
    const guesses = Array.from({ length: 10 }, () => attempt(server.visitor(), phone, `guess-${batch}`));
    for (const answer of await Promise.all(guesses)) expect(outcome(answer)).toEqual([401, 'bad_credentials']);
  }
  const owner = server.visitor();
  const asked = await attempt(owner, phone, password);
  expect(outcome(asked)).toEqual(codeAsked);
  expect(asked.body.sent_by).toBe('sms');
  expect((await owner.call(getUser)).status).toBe(401);
  const code = await server.code(phone);
  const wrong = code === '000000' ? '111111' : '000000';
  expect(outcome(await attempt(owner, phone, password, wrong))).toEqual([422, 'wrong_code']);
  const entered = await attempt(owner, phone, password, code);
  expect([entered.status, entered.body.id]).toEqual([200, id]);
  expect((await owner.call(getUser)).body.id).toBe(id);
});

test('while a phone is under attack, a wrong password gets the usual answer and sends no code', async () => {
  const { phone } = await server.addUser();
  await attacked(phone);
  const thief = server.visitor();
  expect(outcome(await attempt(thief, phone, 'one-more-guess'))).toEqual([401, 'bad_credentials']);
  expect(outcome(await attempt(thief, phone, 'one-more-guess', '123456'))).toEqual([401, 'bad_credentials']);
  expect(await server.sms(phone)).toEqual([]);
});

test('the code of one sign-in is not accepted in another browser', async () => {
  const { phone } = await server.addUser();
  await attacked(phone);
  await attempt(server.visitor(), phone, password);
  const code = await server.code(phone);
  expect(outcome(await attempt(server.visitor(), phone, password, code))).toEqual([422, 'wrong_code']);
});

test('a device that signed in before needs no code during an attack, also at the address of the attacker', async () => {
  const owner = await server.signedIn();
  await attacked(owner.phone);
  expect((await attempt(owner, owner.phone, password)).status).toBe(200);

  const neighbour = { call: server.from(owner.ip).call };
  for (let time = 0; time < 5; time += 1) expect((await attempt(neighbour, owner.phone, 'wrong-one')).status).toBe(401);
  expect((await attempt(neighbour, owner.phone, password)).status).toBe(429);
  expect((await attempt(owner, owner.phone, password)).status).toBe(200);
});

test('the cookie of a known device belongs to one account and one password', async () => {
  const [one, other] = [await server.signedIn(), await server.addUser()];
  await attacked(other.phone);
  expect(outcome(await attempt(one, other.phone, password))).toEqual(codeAsked);

  await attacked(one.phone);
  const password_hash = await hashPassword('a-newer-password');
  await server.db.updateTable('users').set({ password_hash }).where('id', '=', one.id).execute();
  expect(outcome(await attempt(one, one.phone, 'a-newer-password'))).toEqual(codeAsked);
});

test('a restoration signs in at once: no code after it, and the failures of this address are cleared', async () => {
  const { phone } = await server.addUser();
  await attacked(phone);
  const owner = server.visitor();
  for (let time = 0; time < 5; time += 1) expect((await attempt(owner, phone, 'forgotten')).status).toBe(401);
  expect((await attempt(owner, phone, 'forgotten')).status).toBe(429);
  await server.prove(owner, phone, 'restoration');
  const restored = { otp: '', phone_number: phone, new_password: 'a-newer-password' };
  expect((await owner.call(restorePassword, { body: restored })).status).toBe(200);
  expect((await attempt(owner, phone, 'a-newer-password')).status).toBe(200);
});

test('a stranger who requests codes to a phone cannot use up the codes of its sign-ins', async () => {
  const { phone } = await server.addUser();
  await attacked(phone);
  for (let sent = 0; sent < 5; sent += 1) {
    const asked = await server.visitor().call(requestCode, { body: { phone_number: phone, purpose: 'restoration' } });
    expect(asked.status).toBe(200);
    server.later(30_000);
  }
  const owner = server.visitor();
  expect(outcome(await attempt(owner, phone, password))).toEqual(codeAsked);
  expect((await attempt(owner, phone, password, await server.code(phone))).status).toBe(200);
});

test('a repeated sign-in within 30 s requires the code again, and sends no second one', async () => {
  const { phone } = await server.addUser();
  await attacked(phone);
  const owner = server.visitor();
  await attempt(owner, phone, password);
  const again = await attempt(owner, phone, password);
  expect(outcome(again)).toEqual(codeAsked);
  expect(await server.sms(phone)).toHaveLength(1);
  expect((await attempt(owner, phone, password, await server.code(phone))).status).toBe(200);
});

test('the attack is cleared after a day', async () => {
  const { phone } = await server.addUser();
  await attacked(phone);
  server.later(dayMs);
  expect((await attempt(server.visitor(), phone, password)).status).toBe(200);
});

test('5 failures a minute and 50 a day for one phone from one address, where all addresses of a /64 are one', async () => {
  const { phone } = await server.addUser();
  for (let time = 0; time < 5; time += 1)
    expect((await attempt(server.from(`2001:db8:1:2::${time + 1}`), phone, 'wrong-one')).status).toBe(401);
  expect((await attempt(server.from('2001:db8:1:2:ffff::9'), phone, password)).status).toBe(429);
  expect((await attempt(server.from('2001:db8:1:3::1'), phone, password)).status).toBe(200);
});

test('15 guests from 15 addresses of one /64 are limited as one address', async () => {
  const statuses: number[] = [];
  for (let guest = 0; guest < 15; guest += 1)
    statuses.push((await server.from(`2001:db8:9:9::${guest + 1}`).call(signInAsGuest)).status);
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(5).fill(429)]);
});
