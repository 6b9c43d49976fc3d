import { getUser, signIn } from '@fpay/contract/account';
import { editUser } from '@fpay/contract/profile';
import { requestCode } from '@fpay/contract/sign-up';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperation } from '../../testing/operation.ts';
import { type AccountServer, password, startAccountServer } from '../testing/accounts.ts';

let server: AccountServer;
beforeAll(async () => {
  server = await startAccountServer();
});
afterAll(() => server.close());

type Driver = Awaited<ReturnType<AccountServer['signedIn']>>;
const edit = (driver: Driver, body: object, id = driver.id) =>
  driver.call(editUser, { params: { id: String(id) }, body: body as never });
const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

/** As the page sends it: every field, with empty ones for what does not change. */
const untouched = {
  name: '',
  phone_number: '',
  password: '',
  icon: 0,
  active_car: 0,
  added_cars: [],
  edited_cars: [],
  deleted_cars: [],
};
const queued = async (phone: string) => {
  const { rows } = await import('kysely').then(({ sql }) =>
    sql<{ text: string }>`select data->>'text' as text from pgboss.job
      where name = 'messages.sms' and data->>'phone' = ${phone} order by created_on`.execute(server.db),
  );
  return rows.map((row) => row.text);
};

test('empty strings and 0 change nothing; given values change, and the user is returned [API-24] [API-25]', async () => {
  const driver = await server.signedIn();
  const same = await edit(driver, untouched);
  const { telegram_link: _link, ...before } = driver.user;
  expect(same.body).toMatchObject(before);
  const changed = await edit(driver, { ...untouched, name: '  Ірина   Бондар ', icon: 6 });
  expect(changed.body).toMatchObject({ ...before, name: 'Ірина Бондар', icon: 6 });
  expect(await server.logOf(driver.id)).toContain('changed name, icon');
});

test("a user cannot change another's account: 403, and it is written to the log of the user who tried [API-26]", async () => {
  const [driver, other] = [await server.signedIn(), await server.addUser()];
  const tried = await edit(driver, { ...untouched, name: 'Stolen' }, other.id);
  expect(code(tried)).toEqual([403, 'not_your_account']);
  expect(await server.logOf(driver.id)).toContain(`tried to change account ${other.id}`);
  const row = await server.db.selectFrom('users').select('name').where('id', '=', other.id).executeTakeFirstOrThrow();
  expect(row.name).not.toBe('Stolen');
});

test('all or nothing: one bad part and nothing is changed [API-26]', async () => {
  const driver = await server.signedIn();
  const foreign = await server.steps.run(async (step) => {
    const { id } = await server.addUser();
    return server.accounts.users.addCar(step, id, {
      name: 'Theirs',
      battery: null,
      manufacturer: null,
      model: null,
      plate: null,
      vin: null,
    });
  });
  const refused = await edit(driver, { ...untouched, name: 'New Name', icon: 2, deleted_cars: [foreign] });
  expect(code(refused)).toEqual([404, 'car_not_found']);
  for (const part of [{ active_car: foreign }, { edited_cars: [{ id: foreign, name: 'Mine' }] }]) {
    expect(code(await edit(driver, { ...untouched, ...part }))).toEqual([404, 'car_not_found']);
  }
  expect((await driver.call(getUser)).body).toMatchObject({ name: driver.user.name, icon: 4, cars: [] });
  const car = await server.db.selectFrom('cars').selectAll().where('id', '=', foreign).executeTakeFirstOrThrow();
  expect([car.name, car.deleted_at]).toEqual(['Theirs', null]);
  expect(await server.logOf(driver.id)).toContain('named a car that is not theirs');
});

test('cars are added, edited, made active and deleted; one with history is hidden, not erased [CAR-08] [ENT-07]', async () => {
  const driver = await server.signedIn();
  const added = await edit(driver, {
    added_cars: [
      { name: 'Leaf', battery: '', manufacturer: 'Nissan', plate: 'AE1234KA', vin: 'x'.repeat(17) },
      { name: 'Zoe', battery: 52.5 },
    ],
  });
  const [leaf, zoe] = added.body.cars;
  expect(added.body).toMatchObject({
    active_car_id: leaf.id,
    cars: [
      { name: 'Leaf', battery: null, manufacturer: 'Nissan', model: null, plate: 'AE1234KA', year: null },
      { name: 'Zoe', battery: 52.5, manufacturer: null },
    ],
  });
  const operation = await addOperation(server, driver.id, 'finished');
  await server.db.updateTable('operations').set({ car_id: leaf.id }).where('id', '=', operation).execute();
  const edited = await edit(driver, {
    edited_cars: [{ id: zoe.id, battery: 0, model: 'E-Tech' }],
    deleted_cars: [leaf.id],
  });
  expect(edited.body).toMatchObject({
    active_car_id: zoe.id,
    cars: [{ id: zoe.id, name: 'Zoe', battery: null, model: 'E-Tech' }],
  });
  const hidden = await server.db.selectFrom('cars').selectAll().where('id', '=', leaf.id).executeTakeFirstOrThrow();
  expect([hidden.name, hidden.deleted_at]).toEqual(['Leaf', server.clock.now()]);
});

test('ten cars are the most, also when twenty tabs add one at once [VAL-14]', async () => {
  const driver = await server.signedIn();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => edit(driver, { added_cars: [{ name: `Car ${index}` }] })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
    new Set(['too_many_cars']),
  );
  expect((await driver.call(getUser)).body.cars).toHaveLength(10);
});

test.each([
  ['name', { name: 'x'.repeat(21) }, 'Name must be up to 20 characters and 4 words!'],
  ['name', { name: '  ' }, 'Name is required!'],
  ['phone_number', { phone_number: '0671112233' }, 'Phone number is invalid!'],
  ['password', { password: 'short' }, 'Password must be at least 8 characters!'],
  ['icon', { icon: 7 }, 'Icon is invalid!'],
  ['added_cars.0.name', { added_cars: [{ name: '' }] }, 'Car name invalid!'],
  ['edited_cars.0.battery', { edited_cars: [{ id: 1, battery: 250 }] }, 'Battery must be empty or 20 to 200!'],
])('an edit with a bad %s is refused with its text [VAL-04] [VAL-09] [VAL-10] [VAL-11]', async (field, body, text) => {
  const driver = await server.signedIn();
  const answer = await edit(driver, { ...untouched, ...body });
  expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [text] }]);
});

test('a new password needs the current one, ends all other sessions, and the number gets an SMS [EDIT-08] [AUTH-13]', async () => {
  const driver = await server.signedIn();
  const elsewhere = server.visitor();
  await elsewhere.call(signIn, { body: { phone_number: driver.phone, password } });
  const change = { ...untouched, password: 'another-secret' };
  const asked = await edit(driver, change);
  expect([asked.status, asked.body.code, asked.body.needs]).toEqual([409, 'proof_required', ['current_password']]);
  const wrong = await edit(driver, { ...change, current_password: 'not-this-one' });
  expect([wrong.status, wrong.body.errors]).toEqual([422, { current_password: ['The password is wrong'] }]);
  expect((await elsewhere.call(getUser)).status).toBe(200);
  expect((await edit(driver, { ...change, current_password: password })).status).toBe(200);
  expect((await driver.call(getUser)).status).toBe(200);
  expect((await elsewhere.call(getUser)).status).toBe(401);
  expect(await queued(driver.phone)).toEqual(['FPay: пароль змінено. Це не ви? Відновіть його зараз.']);
  const events = await server.db.selectFrom('outbox').select('topic').where('ref', '=', String(driver.id)).execute();
  expect(events.map(({ topic }) => topic)).toContain('signed-out');
});

test('guessing the current password is stopped after 5 attempts a minute', async () => {
  const driver = await server.signedIn();
  const guess = (current_password: string) =>
    edit(driver, { ...untouched, password: 'another-secret', current_password });
  for (let time = 0; time < 5; time += 1) expect((await guess('not-this-one')).status).toBe(422);
  expect((await guess(password)).status).toBe(429);
});

test('a new phone needs a code sent to it and the current password; the old number is notified [EDIT-08]', async () => {
  const driver = await server.signedIn();
  const phone = server.phone();
  const change = { ...untouched, phone_number: phone };
  const asked = await edit(driver, change);
  expect([asked.status, asked.body.code, asked.body.needs]).toEqual([
    409,
    'proof_required',
    ['current_password', 'otp'],
  ]);
  await driver.call(requestCode, { body: { phone_number: phone, purpose: 'new_phone' } });
  const right = await server.code(phone);
  const wrong = { current_password: password, otp: right === '000000' ? '000001' : '000000' };
  expect((await edit(driver, { ...change, ...wrong })).body.errors).toEqual({
    otp: ['The code is wrong or has expired'],
  });
  expect(code(await edit(driver, { ...change, otp: right }))).toEqual([409, 'proof_required']);
  const done = await edit(driver, { ...change, current_password: password, otp: right });
  expect([done.status, done.body.phone_number]).toEqual([200, phone]);
  expect(await queued(driver.phone)).toEqual([
    `FPay: номер акаунта змінено на ${phone.slice(0, 4)}•••${phone.slice(-4)}. Це не ви? Напишіть нам.`,
  ]);
  expect(await queued(phone)).toEqual([]);
});

test('a code of a sign-up, or one for another number, changes no phone; a taken one is refused [EDIT-08]', async () => {
  const [driver, other] = [await server.signedIn(), await server.addUser()];
  const [phone, second] = [server.phone(), server.phone()];
  await server.prove(driver, phone, 'sign_up');
  const proof = { ...untouched, current_password: password };
  expect(code(await edit(driver, { ...proof, phone_number: phone }))).toEqual([409, 'proof_required']);
  await server.prove(driver, second, 'new_phone');
  expect(code(await edit(driver, { ...proof, phone_number: phone }))).toEqual([409, 'proof_required']);
  const taken = await driver.call(requestCode, { body: { phone_number: other.phone, purpose: 'new_phone' } });
  expect(code(taken)).toEqual([409, 'user_exists']);
  const proven = await edit(driver, { ...proof, phone_number: second });
  expect([proven.status, proven.body.phone_number]).toEqual([200, second]);
});

test('a visitor gets no code for a new phone, a guest may not edit', async () => {
  const visitor = server.visitor();
  const asked = await visitor.call(requestCode, { body: { phone_number: server.phone(), purpose: 'new_phone' } });
  expect(asked.status).toBe(401);
  const guest = await server.signedIn('Guest');
  expect(code(await edit(guest, untouched))).toEqual([403, 'forbidden']);
});
