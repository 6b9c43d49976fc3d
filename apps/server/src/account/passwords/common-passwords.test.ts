import { signIn } from '@fpay/contract/account';
import { editUser } from '@fpay/contract/profile';
import { checkPhoneFree, restorePassword, signUp } from '@fpay/contract/sign-up';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoPassword } from '../../demo/accounts.ts';
import { type AccountServer, filled, password, startAccountServer } from '../testing/accounts.ts';

let server: AccountServer;
beforeAll(async () => {
  server = await startAccountServer();
});
afterAll(() => server.close());

const tooCommon = (field: string) => [422, { [field]: ['This password is too common'] }];
const outcome = ({ status, body }: { status: number; body: { errors?: object } }) => [status, body.errors];

test.each(['12345678', 'password', 'PassWord1', 'qwerty123', '13101988'])(
  'a sign-up with %s is refused, and the proof of the phone is not used up by it',
  async (common) => {
    const visitor = server.visitor();
    const phone = server.phone();
    await server.prove(visitor, phone);
    const refused = await visitor.call(signUp, { body: { ...filled(phone), password: common } });
    expect(outcome(refused)).toEqual(tooCommon('password'));
    expect((await visitor.call(signUp, { body: filled(phone) })).status).toBe(200);
  },
);

test('a restoration and a change of the profile refuse a common password, and the old one stays', async () => {
  const driver = await server.signedIn();
  const edit = { password: 'iloveyou', current_password: password };
  const edited = await driver.call(editUser, { params: { id: String(driver.id) }, body: edit });
  expect(outcome(edited)).toEqual(tooCommon('password'));
  const visitor = server.visitor();
  await server.prove(visitor, driver.phone, 'restoration');
  const restore = (new_password: string) =>
    visitor.call(restorePassword, { body: { otp: '', phone_number: driver.phone, new_password } });
  expect(outcome(await restore('sunshine'))).toEqual(tooCommon('new_password'));
  const body = { phone_number: driver.phone, password };
  expect((await server.visitor().call(signIn, { body })).status).toBe(200);
  expect((await restore('a-newer-password')).status).toBe(200);
});

test('the check before the code also checks the password, so that no SMS is sent for one that will be refused', async () => {
  const visitor = server.visitor();
  const { phone } = await server.addUser();
  const check = (phone_number: string, given?: string) =>
    visitor.call(checkPhoneFree, { body: { phone_number, ...(given && { password: given }) } });
  for (const number of [phone, server.phone()])
    expect(outcome(await check(number, '12345678'))).toEqual(tooCommon('password'));
  expect((await check(server.phone(), 'a-rare-password')).status).toBe(200);
  expect((await check(phone, 'a-rare-password')).status).toBe(409);
  expect((await check(server.phone())).status).toBe(200);
});

test('the password of the demo accounts is allowed', async () => {
  const visitor = server.visitor();
  const phone = server.phone();
  await server.prove(visitor, phone);
  expect((await visitor.call(signUp, { body: { ...filled(phone), password: demoPassword } })).status).toBe(200);
});
