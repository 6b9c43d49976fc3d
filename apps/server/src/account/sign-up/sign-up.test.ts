import { getUser, signIn, signInAsGuest } from '@fpay/contract/account';
import { kopecks } from '@fpay/contract/money';
import { checkPhoneFree, enterCode, requestCode, restorePassword, signUp } from '@fpay/contract/sign-up';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperation } from '../../testing/operation.ts';
import { network } from '../../wallet/transfer.ts';
import { type AccountServer, filled, password, startAccountServer, terms } from '../testing/accounts.ts';

let server: AccountServer;
beforeAll(async () => {
  server = await startAccountServer();
});
afterAll(() => server.close());

const refused = ({ status, body }: { status: number; body: { code?: string } }) => ({ status, code: body.code });

test('a driver proves the phone by SMS, signs up, and signs in with the same phone and password [API-17] [API-20] [API-21]', async () => {
  const visitor = server.visitor();
  const phone = server.phone();
  expect((await visitor.call(checkPhoneFree, { body: { phone_number: phone } })).body).toEqual({});
  await server.prove(visitor, phone);
  expect(await server.sms(phone)).toEqual([expect.stringMatching(/^FPay: код \d{6}\. Нікому його не кажіть\.$/)]);
  const signedUp = await visitor.call(signUp, { body: filled(phone) });
  expect([signedUp.status, signedUp.body]).toEqual([200, {}]);
  const answer = await visitor.call(signIn, {
    body: { phone_number: phone, password: 'correct-horse', station_number: '0' },
  });
  expect(answer.body).toMatchObject({
    name: 'Олена Коваль',
    phone_number: phone,
    icon: 4,
    balance: 0,
    cars: [{ name: 'Leaf', battery: 40, manufacturer: null, model: null, plate: null, vin: null, year: null }],
    active_operations: [],
    role: 'User',
    party: null,
    has_telegram: false,
    is_temporary: false,
  });
  expect(answer.body.active_car_id).toBe(answer.body.cars[0].id);
  const { terms_version } = await server.db
    .selectFrom('users')
    .select('terms_version')
    .where('phone_number', '=', phone)
    .executeTakeFirstOrThrow();
  expect(terms_version).toBe(terms);
  expect(await server.logOf(answer.body.id)).toContain(`signed up from ${visitor.ip}, accepted terms ${terms}`);
});

test('a taken phone answers 409 to the check, and to the code of a sign-up [API-18]', async () => {
  const { phone } = await server.addUser();
  const visitor = server.visitor();
  const taken = await visitor.call(checkPhoneFree, { body: { phone_number: phone } });
  expect([taken.status, taken.body.message]).toEqual([409, 'User already exists!']);
  const asked = await visitor.call(requestCode, { body: { phone_number: phone, purpose: 'sign_up' } });
  expect(refused(asked)).toEqual({ status: 409, code: 'user_exists' });
  expect(await server.sms(phone)).toEqual([]);
});

test('the check of a phone is allowed 20 times a minute from one address, then 429 [API-19]', async () => {
  const visitor = server.visitor();
  const ask = () => visitor.call(checkPhoneFree, { body: { phone_number: '+380670000000' } });
  for (let time = 0; time < 20; time += 1) expect((await ask()).status).toBe(200);
  const tooMany = await ask();
  expect([tooMany.status, Number(tooMany.headers.get('retry-after'))]).toEqual([429, 60]);
});

async function refuses(field: string, change: object, text: string): Promise<void> {
  const answer = await server.visitor().call(signUp, { body: { ...filled(server.phone()), ...change } as never });
  expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [text] }]);
}

test.each(['', '   ', undefined])('sign-up with the name %j says "Name is required!" [VAL-08]', (name) =>
  refuses('name', { name }, 'Name is required!'),
);

test.each(['x'.repeat(21), 'a b c d e', 'a\u0000b', 'abc\u202egnp', 'two\nlines'])(
  'a name is up to 20 characters and 4 words, without control characters: %j is refused [VAL-09]',
  (name) => refuses('name', { name }, 'Name must be up to 20 characters and 4 words!'),
);

test.each(['Ї'.repeat(20), 'a b c d', 'Олена-Марія Коваль', "O'Neill"])(
  'a name of 20 characters, or of 4 words, is accepted: %j [VAL-09]',
  async (name) => {
    const [visitor, phone] = [server.visitor(), server.phone()];
    await server.prove(visitor, phone);
    expect((await visitor.call(signUp, { body: { ...filled(phone), name } })).status).toBe(200);
  },
);

test('a password has at least 8 characters, and no more than can be hashed in reasonable time [VAL-01]', async () => {
  const [visitor, phone] = [server.visitor(), server.phone()];
  await server.prove(visitor, phone);
  expect((await visitor.call(signUp, { body: { ...filled(phone), password: 'qz7-Ж_4x' } })).status).toBe(200);
  await refuses('password', { password: '1234567' }, 'Password must be at least 8 characters!');
  await refuses('password', { password: 'x'.repeat(257) }, 'Password must be at most 256 characters!');
});

test.each(['380671112233', '+380', '+38067111223344', "+38067' or 1=1", '+380 67 x', ''])(
  'a phone that does not start with + or is not 5 to 13 characters is invalid: %j [VAL-04]',
  (phone_number) => refuses('phone_number', { phone_number }, 'Phone number is invalid!'),
);

test.each(['', 'x'.repeat(21), 'a b c d e', 'tab\tbed'])('the car name %j is invalid [VAL-10]', (name) =>
  refuses('cars.0.name', { cars: [{ name, battery: null }] }, 'Car name invalid!'),
);

test.each([19, 201, -1, '60', 1e9])('the battery %j is neither empty nor 20 to 200 [VAL-11]', (battery) =>
  refuses('cars.0.battery', { cars: [{ name: 'Leaf', battery }] }, 'Battery must be empty or 20 to 200!'),
);

test('manufacturer, model and plate have up to 15 characters, the VIN up to 17 [VAL-13]', async () => {
  for (const field of ['manufacturer', 'model', 'plate']) {
    await refuses(`cars.0.${field}`, { cars: [{ name: 'Leaf', [field]: 'x'.repeat(16) }] }, 'Up to 15 characters!');
  }
  await refuses('cars.0.vin', { cars: [{ name: 'Leaf', vin: 'x'.repeat(18) }] }, 'Up to 17 characters!');
});

test('sign-up accepts one car, and the terms in the current version [API-17] [AUTH-20]', async () => {
  await refuses('cars', { cars: [] }, 'One car is expected!');
  await refuses('cars', { cars: [{ name: 'One' }, { name: 'Two' }] }, 'One car is expected!');
  await refuses('terms_version', { terms_version: '' }, 'The terms must be accepted!');
  await refuses('terms_version', { terms_version: '2020-01' }, 'The terms have changed, please read them again.');
});

test('a phone may be 5 to 13 characters long, as people write it [VAL-04]', async () => {
  const visitor = server.visitor();
  for (const phone of ['+1234', '+38 (067) 111-22-33']) {
    expect((await visitor.call(checkPhoneFree, { body: { phone_number: phone } })).status).toBe(200);
  }
});

test('without a proof, with one for another purpose or another phone, or in another session no account is created [REG-09]', async () => {
  const visitor = server.visitor();
  const phone = server.phone();
  const noProof = { status: 409, code: 'phone_not_proven' };
  expect(refused(await visitor.call(signUp, { body: filled(phone) }))).toEqual(noProof);
  await server.prove(visitor, phone);
  expect(refused(await visitor.call(signUp, { body: filled(server.phone()) }))).toEqual(noProof);
  expect(refused(await server.visitor().call(signUp, { body: filled(phone) }))).toEqual(noProof);

  const { phone: known } = await server.addUser();
  await server.prove(visitor, known);
  await server.db.updateTable('users').set({ phone_number: 'gone' }).where('phone_number', '=', known).execute();
  expect(refused(await visitor.call(signUp, { body: filled(known) }))).toEqual(noProof);
  await server.db.updateTable('users').set({ phone_number: known }).where('phone_number', '=', 'gone').execute();
});

test('a proof is valid for 10 minutes and used up by one sign-up; a fresh code works as well [REG-09]', async () => {
  const [late, visitor] = [server.visitor(), server.visitor()];
  const [phone, other] = [server.phone(), server.phone()];
  await server.prove(late, phone);
  server.later(10 * 60_000);
  expect(refused(await late.call(signUp, { body: filled(phone) }))).toMatchObject({ code: 'phone_not_proven' });

  await visitor.call(requestCode, { body: { phone_number: other } });
  const code = await server.code(other);
  expect((await visitor.call(signUp, { body: { ...filled(other), otp: code } })).status).toBe(200);
  await server.db.updateTable('users').set({ phone_number: 'moved' }).where('phone_number', '=', other).execute();
  const again = await visitor.call(signUp, { body: { ...filled(other), otp: code } });
  expect(refused(again)).toEqual({ status: 422, code: 'wrong_code' });
});

test('the same phone signed up 50 times at once gives one account [API-17]', async () => {
  const phone = server.phone();
  const visitors = Array.from({ length: 50 }, () => server.visitor());
  for (const { client } of visitors) await client.get('/sanctum/csrf-cookie');
  // Each in its own session that has proven the phone, which the limits on codes would not allow.
  const sessions = visitors.map(
    ({ client }) => server.visitors.find(client.jar.get('fpay_session') ?? '')?.owner ?? '',
  );
  for (const session of sessions) {
    const claim = { session, phone, purpose: 'sign_up' } as const;
    await server.accounts.codes.enter(claim, await server.accounts.codes.make(claim));
  }
  const answers = await Promise.all(visitors.map((visitor) => visitor.call(signUp, { body: filled(phone) })));
  const codes = answers.map(({ status, body }) => body.code ?? status);
  expect(codes.filter((code) => code === 200)).toHaveLength(1);
  expect(codes.filter((code) => code === 'user_exists')).toHaveLength(49);
  const rows = await server.db.selectFrom('users').select('id').where('phone_number', '=', phone).execute();
  expect(rows).toHaveLength(1);
});

test('a guest who signs up stays the same user: an open operation, its log and its rights stay theirs [REG-08]', async () => {
  const visitor = server.visitor();
  const guest = (await visitor.call(signInAsGuest, {})).body;
  const elsewhere = server.visitor();
  for (const [name, value] of visitor.client.jar) elsewhere.client.jar.set(name, value);
  const operation = await addOperation(server, guest.id, 'ongoing');
  const phone = server.phone();
  await server.prove(visitor, phone);
  expect((await visitor.call(signUp, { body: filled(phone) })).status).toBe(200);
  const user = (await visitor.call(getUser)).body;
  expect(user).toMatchObject({ id: guest.id, role: 'User', is_temporary: false, active_operations: [operation] });
  // The session of the guest, perhaps left open in a bank's browser, does not become the account's.
  expect((await elsewhere.call(getUser)).status).toBe(401);
});

test('a guest who signs in to an account takes operations, cars and money along [REG-08]', async () => {
  const { phone, id } = await server.addUser();
  const visitor = server.visitor();
  const guest = (await visitor.call(signInAsGuest, {})).body;
  const [open, past] = [
    await addOperation(server, guest.id, 'ongoing'),
    await addOperation(server, guest.id, 'finished'),
  ];
  const purse = (await server.ledger.holder(guest.id))?.wallet ?? network.staff;
  await server.steps.run((step) =>
    server.wallet.transfer(step, [
      { key: `test:${guest.id}`, kind: 'admin', from: network.staff, to: purse, amount: kopecks(40_00) },
    ]),
  );
  const { body } = await visitor.call(signIn, { body: { phone_number: phone, password } });
  expect(body).toMatchObject({ id, active_operations: [open], balance: 40_00 });
  const owners = await server.db.selectFrom('operations').select('user_id').where('id', 'in', [open, past]).execute();
  expect(owners).toEqual([{ user_id: id }, { user_id: id }]);
  expect(await server.wallet.balanceOf(guest.id)).toBe(0);
  const events = await server.db
    .selectFrom('outbox')
    .select(['topic', 'ref'])
    .orderBy('id', 'desc')
    .limit(10)
    .execute();
  expect(events).toEqual(
    expect.arrayContaining([
      { topic: 'signed-out', ref: String(guest.id) },
      { topic: 'operation', ref: String(open) },
    ]),
  );
  // An operation that was being opened while the guest signed in is moved by the sweep.
  const late = await addOperation(server, guest.id, 'created');
  await server.accounts.sweep();
  const { user_id } = await server.db
    .selectFrom('operations')
    .select('user_id')
    .where('id', '=', late)
    .executeTakeFirstOrThrow();
  expect(user_id).toBe(id);
});

test('restoration sets a new password, by code or by proof, and ends every session of the account [API-22] [AUTH-13]', async () => {
  const { phone, call } = await server.signedIn();
  const visitor = server.visitor();
  const first = { otp: '', phone_number: phone, new_password: 'brand-new-secret' };
  expect(refused(await visitor.call(restorePassword, { body: first }))).toMatchObject({ code: 'phone_not_proven' });
  await visitor.call(requestCode, { body: { phone_number: phone } });
  const code = await server.code(phone);
  const wrong = { ...first, otp: code === '000000' ? '000001' : '000000' };
  expect(refused(await visitor.call(restorePassword, { body: wrong }))).toEqual({ status: 422, code: 'wrong_code' });
  expect((await visitor.call(restorePassword, { body: { ...first, otp: code } })).status).toBe(200);
  expect((await call(getUser)).status).toBe(401);
  const signInWith = (secret: string) => visitor.call(signIn, { body: { phone_number: phone, password: secret } });
  expect((await signInWith(password)).status).toBe(401);
  expect((await signInWith('brand-new-secret')).status).toBe(200);
  // The code is used up.
  const again = await server.visitor().call(restorePassword, { body: { ...first, otp: code } });
  expect(refused(again)).toEqual({ status: 422, code: 'wrong_code' });

  server.later(31_000);
  const proven = server.visitor();
  await server.prove(proven, phone, 'restoration');
  expect((await proven.call(restorePassword, { body: { ...first, new_password: 'another-one' } })).status).toBe(200);
});

test('restoration of an unknown number answers as for a known one and sends nothing', async () => {
  const phone = server.phone();
  const visitor = server.visitor();
  const asked = await visitor.call(requestCode, { body: { phone_number: phone, purpose: 'restoration' } });
  expect([asked.status, asked.body]).toEqual([200, {}]);
  expect(await server.sms(phone)).toEqual([]);
  const entered = await visitor.call(enterCode, { body: { phone_number: phone, code: '123456' } });
  expect(refused(entered)).toEqual({ status: 422, code: 'wrong_code' });
});
