import { comeBack, getUser, signIn } from '@fpay/contract/account';
import type { Endpoint } from '@fpay/contract/endpoint';
import { deleteAccount, editUser } from '@fpay/contract/profile';
import { enterSecondFactor } from '@fpay/contract/second-factor';
import { checkPhoneFree, enterCode, requestCode, restorePassword, signUp } from '@fpay/contract/sign-up';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountServer, filled, password, startAccountServer } from './testing/accounts.ts';

const lines: string[] = [];
let server: AccountServer;
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  server = await startAccountServer({ log });
});
afterAll(() => server.close());

const hostile: [string, unknown][] = [
  ['60,000 characters', 'x'.repeat(60_000)],
  ['SQL', "'; drop table users; --"],
  ['NUL', '+38067111\u00002233'],
  ['a mark that turns the writing direction', '\u202e3322111760830+'],
  ['markup', '<img src=x onerror=alert(1)>'],
  ['a lone surrogate', '\ud800'],
  ['nothing', null],
  ['a list', ['+380671112233']],
  ['an object', { $ne: '' }],
  ['a number', 380671112233],
  ['an id too large for the database', 2 ** 60],
];
const phone_number = '+380671112233';
const code = '481205';
/** Every call of a visitor, with one field after another replaced by a hostile value. */
const calls: [string, Endpoint, Record<string, unknown>][] = [
  ['sign-in', signIn, { phone_number, password: 'some-password', station_number: '0' }],
  ['the check of a phone', checkPhoneFree, { phone_number }],
  ['a code', requestCode, { phone_number, purpose: 'sign_up', language: 'uk' }],
  ['entering a code', enterCode, { code, phone_number, purpose: 'sign_up' }],
  ['sign-up', signUp, { ...filled(phone_number), otp: code }],
  ['restoration', restorePassword, { otp: code, phone_number, new_password: 'a-new-password' }],
  ['the return from the bank', comeBack, { token: 'x'.repeat(43) }],
  ['the second factor', enterSecondFactor, { code, trust: false }],
];

test.each(calls)(
  '%s with a hostile field is refused, never an error of the server, and creates no user',
  async (_, endpoint, body) => {
    const users = () => server.db.selectFrom('users').select('id').execute();
    const before = await users();
    for (const field of Object.keys(body)) {
      const answers = hostile.map(async ([name, value]) => {
        const sent = { body: { ...body, [field]: value } as never };
        const { status } = await server.visitor().call(endpoint as typeof signIn, sent);
        return `${name}: ${status >= 400 && status < 500 ? 'refused' : status}`;
      });
      expect([field, ...(await Promise.all(answers))]).toEqual([field, ...hostile.map(([name]) => `${name}: refused`)]);
    }
    expect(await users()).toEqual(before);
    expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  },
);

/** One field after another is replaced by a hostile value. */
const spoilt = (what: string, good: object, fields: string[], values = hostile) =>
  fields.flatMap((field) =>
    values.map(([name, value]) => ({ name: `${what}: ${field}, ${name}`, body: { ...good, [field]: value } })),
  );

test("a driver's edit with a hostile part is refused, never an error of the server, and changes nothing", async () => {
  const driver = await server.signedIn();
  const { id } = driver;
  const rowOf = () => server.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const carsOf = () => server.db.selectFrom('cars').selectAll().where('user_id', '=', id).execute();
  const edit = (body: object) => driver.call(editUser, { params: { id: String(id) }, body: body as never });
  expect((await edit({ added_cars: [{ name: 'Леаф' }] })).status).toBe(200);
  const before = [await rowOf(), await carsOf()];

  // Null is a way to leave a field of a car empty.
  const carFields = ['name', 'battery', 'manufacturer', 'model', 'plate', 'vin'];
  const values = hostile.filter(([name]) => name !== 'nothing');
  const [car] = await carsOf();
  const attempts = [
    ...spoilt('own', {}, ['name', 'phone_number', 'password', 'icon', 'active_car', 'deleted_cars', 'language']),
    ...spoilt('proof', { password: 'a-new-password' }, ['current_password', 'otp']),
    ...spoilt('new car', { name: 'Зоя' }, carFields, values).map(({ name, body }) => ({
      name,
      body: { added_cars: [body] },
    })),
    ...spoilt('car', { id: car?.id }, carFields, values).map(({ name, body }) => ({
      name,
      body: { edited_cars: [body] },
    })),
  ];
  const wrong: string[] = [];
  for (const { name, body } of attempts) {
    const { status } = await edit(body);
    if (status < 400 || status >= 500) wrong.push(`${name}: ${status}`);
  }
  expect(wrong).toEqual([]);
  expect([await rowOf(), await carsOf()]).toEqual(before);
  expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test('an account is not deleted by a hostile password', async () => {
  const driver = await server.signedIn();
  for (const [name, value] of hostile) {
    const params = { id: String(driver.id) };
    const { status } = await driver.call(deleteAccount, { params, body: { current_password: value } as never });
    expect([name, status >= 400 && status < 500]).toEqual([name, true]);
  }
  expect((await driver.call(getUser)).status).toBe(200);
});

test('guessing the code of a restoration burns it after five attempts: the password stays, and the attempts are logged', async () => {
  const { phone } = await server.addUser();
  const visitor = server.visitor();
  await visitor.call(requestCode, { body: { phone_number: phone, purpose: 'restoration' } });
  const right = await server.code(phone);
  const wrong = right === '000000' ? '111111' : '000000';
  const restore = (otp: string) =>
    visitor.call(restorePassword, { body: { otp, phone_number: phone, new_password: 'stolen-account' } });
  lines.length = 0;
  const guesses = await Promise.all(Array.from({ length: 8 }, () => restore(wrong)));
  expect(guesses.map(({ status }) => status)).toEqual(Array(8).fill(422));
  expect((await restore(right)).status).toBe(422);
  expect(lines.filter((line) => line.includes('one-time code refused'))).toHaveLength(9);
  const tried = await server.visitor().call(signIn, { body: { phone_number: phone, password } });
  expect(tried.status).toBe(200);
});

test('a code that has restored a password restores no other, not even in the same session', async () => {
  const { phone } = await server.addUser();
  const visitor = server.visitor();
  await visitor.call(requestCode, { body: { phone_number: phone, purpose: 'restoration' } });
  const otp = await server.code(phone);
  const restore = (new_password: string) =>
    visitor.call(restorePassword, { body: { otp, phone_number: phone, new_password } });
  expect((await restore('first-password')).status).toBe(200);
  expect((await restore('second-password')).status).toBe(422);
  const sign = (secret: string) => server.visitor().call(signIn, { body: { phone_number: phone, password: secret } });
  expect([(await sign('first-password')).status, (await sign('second-password')).status]).toEqual([200, 401]);
});

test('a refused sign-in is logged with its address, without the password and without the whole number', async () => {
  const { phone } = await server.addUser();
  const visitor = server.visitor();
  lines.length = 0;
  await visitor.call(signIn, { body: { phone_number: phone, password: 'a-wild-guess' } });
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'sign-in refused');
  expect(logged).toMatchObject([{ ip: visitor.ip }]);
  expect(lines.join('')).not.toMatch(new RegExp(`a-wild-guess|${phone.slice(1)}`));
});
