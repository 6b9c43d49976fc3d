import { comeBack, getUser, signIn, signInAsGuest, signOut, storeLanguage } from '@fpay/contract/account';
import argon2 from '@node-rs/argon2';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { addOperation } from '../../testing/operation.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { type AccountServer, password, startAccountServer, type Visitor } from '../testing/accounts.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
let server: AccountServer;
beforeAll(async () => {
  server = await startAccountServer();
});
afterAll(() => server.close());

const attempt = (visitor: Visitor, phone: string, secret: string) =>
  visitor.call(signIn, { body: { phone_number: phone, password: secret } });

test('signing in returns the same user as GET /api/user; the station is written to the log, "0" is none [API-13] [API-14] [API-23]', async () => {
  const { phone, id } = await server.addUser();
  const visitor = server.visitor();
  const body = { phone_number: phone, password, station_number: 'F1400' };
  const { body: user } = await visitor.call(signIn, { body });
  const { telegram_link: _link, ...read } = (await visitor.call(getUser)).body;
  expect(user).toMatchObject(read);
  await visitor.call(signIn, { body: { ...body, station_number: '0' } });
  expect(await server.logOf(id)).toEqual([
    `signed in at station F1400 from ${visitor.ip}`,
    `signed in from ${visitor.ip}`,
  ]);
});

test('the user object has every field and nothing secret [ENT-01] [ENT-02] [ENT-05]', async () => {
  const { user } = await server.signedIn();
  expect(Object.keys(user).sort()).toEqual(
    [
      ...['active_car_id', 'active_operations', 'balance', 'cars', 'has_telegram', 'icon', 'id', 'is_temporary'],
      ...['language', 'name', 'party', 'permissions', 'phone_number', 'role', 'telegram_link'],
    ].sort(),
  );
  expect(user.permissions).toEqual(['use-app', 'access-account-page', 'use-balance', 'have-multiple-operations']);
});

test('signing out ends the session, also for a cookie that was copied before [API-15]', async () => {
  const { call, client } = await server.signedIn();
  const copy = server.visitor();
  for (const [name, value] of client.jar) copy.client.jar.set(name, value);
  expect((await copy.call(getUser)).status).toBe(200);
  expect((await call(signOut)).status).toBe(204);
  expect((await call(getUser)).status).toBe(401);
  expect((await copy.call(getUser)).status).toBe(401);
});

test('a guest has a name, the phone TMP and ten digits, icon 4, and is signed in at once [API-16] [ENT-03] [ENT-04] [ENT-06]', async () => {
  const visitor = server.visitor();
  const { body } = await visitor.call(signInAsGuest);
  expect(body).toMatchObject({ name: 'Guest', icon: 4, is_temporary: true, role: 'Guest' });
  expect(body.phone_number).toMatch(/^TMP\d{10}$/);
  expect((await visitor.call(getUser)).body.id).toBe(body.id);
});

test('the language of the page is stored with a guest, and another one later', async () => {
  const guest = server.visitor();
  await guest.call(signInAsGuest);
  for (const language of ['pl', 'en'] as const) {
    expect((await guest.call(storeLanguage, { body: { language } })).status).toBe(204);
    expect((await guest.call(getUser)).body.language).toBe(language);
  }
  expect((await server.visitor().call(storeLanguage, { body: { language: 'pl' } })).status).toBe(401);
});

test('the database has no list of languages of its own, so a new one can be stored', async () => {
  const { id } = await server.signedIn();
  await server.db
    .updateTable('users')
    .set({ language: 'xx' as never })
    .where('id', '=', id)
    .execute();
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint
    where contype = 'c' and pg_get_constraintdef(oid) ~ '\mlanguage\M'`.execute(server.db);
  expect(rows).toEqual([]);
});

test('10 guests an hour from one address, then 429 [AUTH-18]', async () => {
  const { ip } = server.visitor();
  const newcomer = () => ({ ...server.visitor(), ip });
  const statuses: number[] = [];
  for (let guest = 0; guest < 11; guest += 1) {
    const visitor = newcomer();
    const { client } = visitor;
    const answer = await client.call(
      signInAsGuest,
      {},
      {
        unixMs: server.clock.now().getTime(),
        headers: { 'x-forwarded-for': ip },
      },
    );
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test('past 5 failures a minute for one phone the same address waits even with the right password, others do not [AUTH-15]', async () => {
  const { phone } = await server.addUser();
  const visitor = server.visitor();
  for (let time = 0; time < 5; time += 1) expect((await attempt(visitor, phone, 'wrong-one')).status).toBe(401);
  const locked = await attempt(visitor, phone, password);
  expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '60']);
  expect((await attempt(server.visitor(), phone, password)).status).toBe(200);
  server.later(minuteMs);
  expect((await attempt(visitor, phone, password)).status).toBe(200);
});

/** As if this had been counted before, because hashing fifty passwords takes long. */
const counted = (key: string, count: number, windowMs: number) =>
  server.db
    .insertInto('rate_limits')
    .values({ key, count, resets_at: new Date(server.clock.now().getTime() + windowMs) })
    .execute();

test('50 failures a day for one phone at one address, and 30 sign-ins a minute from one address [AUTH-15]', async () => {
  const { phone } = await server.addUser();
  const visitor = server.visitor();
  await counted(`sign-in:failures-day:${phone}:address:${visitor.ip}`, 48, dayMs);
  for (let time = 0; time < 2; time += 1) expect((await attempt(visitor, phone, 'wrong-one')).status).toBe(401);
  const spent = await attempt(visitor, phone, password);
  expect(spent.status).toBe(429);
  expect(Number(spent.headers.get('retry-after'))).toBeGreaterThan(60 * 60);

  const one = server.visitor();
  await counted(`sign-in:address:${one.ip}`, 28, minuteMs);
  for (let time = 0; time < 2; time += 1) expect((await attempt(one, server.phone(), 'x')).status).toBe(401);
  expect((await attempt(one, server.phone(), 'x')).status).toBe(429);
});

test('an unknown phone costs the same hashing as a wrong password, and gets the same answer; passwords are argon2id [AUTH-14]', async () => {
  const { phone, id } = await server.addUser();
  // Test users have a cheap hash; this one has what sign-up stores.
  const password_hash = await hashPassword(password);
  await server.db.updateTable('users').set({ password_hash }).where('id', '=', id).execute();
  const cost = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;
  expect(password_hash).toMatch(cost);
  const verify = vi.spyOn(argon2, 'verify');
  onTestFinished(() => verify.mockRestore());
  for (const number of [phone, server.phone()]) {
    verify.mockClear();
    const { status, body } = await attempt(server.visitor(), number, 'wrong-one');
    const answer = { message: 'These credentials do not match our records.', code: 'bad_credentials' };
    expect([status, body]).toEqual([401, answer]);
    // Nearly all of the time is this one verification at the same cost; measuring time on a busy machine would show
    // less.
    expect(verify.mock.calls.map(([hash]) => hash)).toEqual([expect.stringMatching(cost)]);
  }
});

test('sign-in with an empty password is refused before any lookup [VAL-03]', async () => {
  const { phone } = await server.addUser();
  const answer = await attempt(server.visitor(), phone, '');
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['password']]);
});

test("a hostile station number or phone is refused or harmless, never a server's error", async () => {
  const visitor = server.visitor();
  const { phone } = await server.addUser();
  const send = (body: object) => visitor.call(signIn, { body: body as never });
  expect((await send({ phone_number: phone, password, station_number: 'F\u0000' })).status).toBe(422);
  expect((await send({ phone_number: 'x'.repeat(33), password })).status).toBe(422);
  expect((await send({ phone_number: "' or 1=1 --", password })).status).toBe(401);
  expect((await send({ phone_number: phone, password: 'x'.repeat(257) })).status).toBe(422);
  expect((await send({ phone_number: [phone], password })).status).toBe(422);
});

test("a guest's session is restored in another browser by the bank's return token, once, within 30 minutes [AUTH-17]", async () => {
  const guest = (await server.visitor().call(signInAsGuest)).body;
  const operation = await addOperation(server, guest.id, 'created');
  const issue = () => server.steps.run((step) => server.accounts.returnTokens.issue(step, guest.id));
  const token = (await issue()) ?? '';
  const elsewhere = server.visitor();
  const back = await elsewhere.call(comeBack, { body: { token } });
  expect(back.body).toMatchObject({ id: guest.id, active_operations: [operation] });
  expect((await elsewhere.call(getUser)).body.id).toBe(guest.id);
  const expired = { status: 404, body: { code: 'link_expired' } };
  expect(await server.visitor().call(comeBack, { body: { token } })).toMatchObject(expired);

  const old = (await issue()) ?? '';
  server.later(30 * minuteMs);
  expect(await server.visitor().call(comeBack, { body: { token: old } })).toMatchObject(expired);
  const rows = await server.db.selectFrom('return_tokens').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('a return token does not sign in to a registered account and signs no user out [AUTH-17]', async () => {
  const driver = await server.signedIn();
  expect(await server.steps.run((step) => server.accounts.returnTokens.issue(step, driver.id))).toBeNull();
  const guest = (await server.visitor().call(signInAsGuest)).body;
  const token = (await server.steps.run((step) => server.accounts.returnTokens.issue(step, guest.id))) ?? '';
  expect((await driver.call(comeBack, { body: { token } })).body.id).toBe(driver.id);
  await server.db.updateTable('users').set({ is_temporary: false, role: 'User' }).where('id', '=', guest.id).execute();
  expect((await server.visitor().call(comeBack, { body: { token } })).status).toBe(404);
});

test('guests without operations are removed after 30 days, with their wallets; others stay [AUTH-16]', async () => {
  const idle = (await server.visitor().call(signInAsGuest)).body;
  const charging = (await server.visitor().call(signInAsGuest)).body;
  await addOperation(server, charging.id, 'finished');
  server.later(29 * dayMs);
  const recent = (await server.visitor().call(signInAsGuest)).body;
  await server.accounts.nightly();
  const left = async () => {
    const ids = [idle.id, charging.id, recent.id];
    const rows = await server.db.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').execute();
    return rows.map((row) => row.id);
  };
  expect(await left()).toEqual([idle.id, charging.id, recent.id]);
  server.later(2 * dayMs);
  await server.accounts.nightly();
  expect(await left()).toEqual([charging.id, recent.id]);
  const wallets = await server.db.selectFrom('wallets').select('id').where('owner_id', '=', idle.id).execute();
  expect(wallets).toEqual([]);
});
