import { getUser, signIn } from '@fpay/contract/account';
import { editUser, userLog } from '@fpay/contract/profile';
import { enterSecondFactor, sendSecondFactor } from '@fpay/contract/second-factor';
import { restorePassword } from '@fpay/contract/sign-up';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountServer, password, startAccountServer } from '../testing/accounts.ts';

const dayMs = 24 * 60 * 60_000;
let server: AccountServer;
beforeAll(async () => {
  server = await startAccountServer({ settings: { hasSecondFactor: true } });
});
afterAll(() => server.close());

type Someone = Awaited<ReturnType<AccountServer['signedIn']>>;

async function confirm(staff: Someone, trust = false) {
  expect((await staff.call(sendSecondFactor)).body).toEqual({ sent_by: 'sms' });
  return staff.call(enterSecondFactor, { body: { code: await server.code(staff.phone), trust } });
}

test("staff have only a driver's rights until they enter the code that is sent to them [AUTH-19]", async () => {
  const staff = await server.signedIn('Operator');
  expect(staff.user).toMatchObject({ role: 'User', awaits_code: true });
  expect(staff.user.permissions).not.toContain('access-admin-page');
  const log = () => staff.call(userLog, { params: { id: String(staff.id) } });
  expect((await log()).status).toBe(403);
  const wrong = await staff.call(enterSecondFactor, { body: { code: '000000' } });
  expect([wrong.status, wrong.body.code]).toEqual([422, 'wrong_code']);
  expect((await log()).status).toBe(403);

  const before = new Map(staff.client.jar);
  const confirmed = await confirm(staff);
  expect(confirmed.body).toMatchObject({ role: 'Operator' });
  expect(confirmed.body.awaits_code).toBeUndefined();
  expect((await log()).status).toBe(200);
  // More rights need another session: the one from before the code is worthless.
  const thief = server.visitor();
  for (const [name, value] of before) thief.client.jar.set(name, value);
  expect((await thief.call(getUser)).status).toBe(401);
});

test('a staff session that owes the code lives 15 minutes, however often it is used [AUTH-19]', async () => {
  const staff = await server.signedIn('Operator');
  for (let minute = 0; minute < 15; minute += 5) {
    expect((await staff.call(getUser)).status).toBe(200);
    server.later(5 * 60_000);
  }
  expect((await staff.call(getUser)).status).toBe(401);
});

test('a password that was restored by SMS allows no second factor by SMS, because one SIM card is not enough [AUTH-19]', async () => {
  const { id, phone } = await server.addUser('Admin');
  const restored = async () => {
    const thief = server.visitor();
    await server.prove(thief, phone, 'restoration');
    const body = { otp: '', phone_number: phone, new_password: 'stolen-account' };
    expect((await thief.call(restorePassword, { body })).status).toBe(200);
    const signedIn = await thief.call(signIn, { body: { phone_number: phone, password: 'stolen-account' } });
    expect(signedIn.body).toMatchObject({ role: 'User', awaits_code: true });
    return thief;
  };
  const thief = await restored();
  const before = (await server.sms(phone)).length;
  const refused = await thief.call(sendSecondFactor);
  expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_not_by_sms']);
  expect(await server.sms(phone)).toHaveLength(before);

  // An operator who has met the person confirms them on the command line.
  expect(await server.steps.run((step) => server.accounts.users.clearSmsRestored(step, id))).toBe(true);
  expect((await thief.call(sendSecondFactor)).body).toEqual({ sent_by: 'sms' });
});

test('drivers need no code, and a user who awaits none cannot request one [AUTH-19]', async () => {
  const driver = await server.signedIn();
  expect(driver.user.awaits_code).toBeUndefined();
  expect((await driver.call(sendSecondFactor)).body.code).toBe('no_code_awaited');
});

test('a driver who becomes staff while signed in has the new rights only after a code [AUTH-19]', async () => {
  const driver = await server.signedIn();
  await server.db.updateTable('users').set({ role: 'Support' }).where('id', '=', driver.id).execute();
  expect((await driver.call(getUser)).body).toMatchObject({ role: 'User', awaits_code: true });
});

test('a trusted device needs no code for 30 days; another device does, and a new password ends the trust [AUTH-19]', async () => {
  const staff = await server.signedIn('Admin');
  expect((await confirm(staff, true)).status).toBe(200);
  const again = async () => {
    // A staff session ends after 12 hours; the page then fetches a new token.
    await staff.client.get('/sanctum/csrf-cookie');
    return staff.call(signIn, { body: { phone_number: staff.phone, password } });
  };
  expect((await again()).body.role).toBe('Admin');
  const elsewhere = server.visitor();
  const other = await elsewhere.call(signIn, { body: { phone_number: staff.phone, password } });
  expect(other.body).toMatchObject({ role: 'User', awaits_code: true });
  // The cookie of one staff member is not accepted for another.
  const colleague = await server.addUser('Admin');
  const borrowed = await staff.call(signIn, { body: { phone_number: colleague.phone, password } });
  expect(borrowed.body.role).toBe('User');
  server.later(29 * dayMs);
  expect((await again()).body.role).toBe('Admin');
  server.later(2 * dayMs);
  expect((await again()).body.role).toBe('User');

  expect((await confirm(staff, true)).status).toBe(200);
  const visitor = server.visitor();
  server.later(31_000);
  await server.prove(visitor, staff.phone, 'restoration');
  await visitor.call(restorePassword, { body: { otp: '', phone_number: staff.phone, new_password: password } });
  expect((await again()).body.role).toBe('User');
});

test('with the password alone the code cannot be redirected: no new phone, no new password, no Telegram link [AUTH-19]', async () => {
  const staff = await server.signedIn('SuperAdmin');
  expect(staff.user.telegram_link).not.toContain('start=');
  const change = (body: object) => staff.call(editUser, { params: { id: String(staff.id) }, body: body as never });
  for (const body of [
    { password: 'another-secret', current_password: password },
    { phone_number: server.phone(), current_password: password, otp: '123456' },
  ]) {
    const answer = await change(body);
    expect([answer.status, answer.body.code]).toEqual([403, 'second_factor_required']);
  }
});
