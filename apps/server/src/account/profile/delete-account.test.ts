import { getUser, signIn } from '@fpay/contract/account';
import type { OperationStatus } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import { deleteAccount, downloadData, editUser, userLog } from '@fpay/contract/profile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAudit } from '../../platform/audit.ts';
import { checkAuditChain } from '../../platform/audit-chain.ts';
import { addOperation } from '../../testing/operation.ts';
import { network } from '../../wallet/transfer.ts';
import { type AccountServer, password, startAccountServer } from '../testing/accounts.ts';

let server: AccountServer;
beforeAll(async () => {
  server = await startAccountServer();
});
afterAll(() => server.close());

type Driver = Awaited<ReturnType<AccountServer['signedIn']>>;
const leave = (driver: Driver, current_password = password, id = driver.id) =>
  driver.call(deleteAccount, { params: { id: String(id) }, body: { current_password } });

async function give(user: number, amount: number): Promise<void> {
  const holder = await server.ledger.holder(user);
  if (!holder) throw new Error('no such user');
  await server.steps.run((step) =>
    server.wallet.transfer(step, [
      { key: `test:${user}:${amount}`, kind: 'admin', from: network.staff, to: holder.wallet, amount: kopecks(amount) },
    ]),
  );
}

test('open operations, debt, money, a party or a staff role keep an account, each with its reason [AUTH-20]', async () => {
  const driver = await server.signedIn();
  const operation = await addOperation(server, driver.id, 'ongoing');
  const reason = async () => (await leave(driver)).body.code;
  expect(await reason()).toBe('account_has_operations');
  const set = (status: OperationStatus) =>
    server.db.updateTable('operations').set({ status }).where('id', '=', operation).execute();
  await set('pending_final_payment');
  expect(await reason()).toBe('account_has_debt');
  await set('finished');
  await give(driver.id, 5_00);
  expect(await reason()).toBe('account_has_balance');

  const owner = await server.signedIn();
  const party = { name: 'Fleet', owner_id: owner.id, created_at: server.clock.now() };
  await server.db.insertInto('parties').values(party).execute();
  expect((await leave(owner)).body.code).toBe('account_has_party');
  expect((await leave(await server.signedIn('Support'))).body.code).toBe('account_is_staff');
});

test('deleting an account erases personal data and keeps operations and money; the phone is free again [AUTH-20]', async () => {
  const driver = await server.signedIn();
  const added = await driver.call(editUser, {
    params: { id: String(driver.id) },
    body: { added_cars: [{ name: 'Leaf', plate: 'AE1234KA' }] },
  });
  const operation = await addOperation(server, driver.id, 'finished');
  const car = added.body.cars[0].id;
  await server.db.updateTable('operations').set({ car_id: car }).where('id', '=', operation).execute();

  expect((await leave(driver, 'not-this-one')).status).toBe(422);
  const other = await server.addUser();
  expect((await leave(driver, password, other.id)).body.code).toBe('not_your_account');
  const audit = createAudit(server.clock);
  await server.steps.run((step) =>
    audit(step, {
      staff: other.id,
      action: 'user.send-sms',
      subject: { kind: 'user', id: driver.id },
      personal: { text: `Dear ${driver.user.name}` },
    }),
  );
  expect((await leave(driver)).status).toBe(204);
  // The audit keeps that there was a message, without its text, and its chain still verifies.
  const record = await server.db
    .selectFrom('audit_personal as p')
    .innerJoin('audit as a', 'a.id', 'p.audit_id')
    .select(['a.action', 'p.values', 'p.salt'])
    .where('p.user_id', '=', driver.id)
    .execute();
  expect(record).toEqual([{ action: 'user.send-sms', values: null, salt: null }]);
  expect(await checkAuditChain(server.db)).toEqual([]);
  expect((await driver.call(getUser)).status).toBe(401);
  const again = await server.visitor().call(signIn, { body: { phone_number: driver.phone, password } });
  expect(again.status).toBe(401);
  const rows = await Promise.all([
    server.db.selectFrom('users').selectAll().where('id', '=', driver.id).execute(),
    server.db.selectFrom('cars').selectAll().where('user_id', '=', driver.id).execute(),
    server.db.selectFrom('user_log').selectAll().where('user_id', '=', driver.id).execute(),
    server.db.selectFrom('sessions').selectAll().where('user_id', '=', driver.id).execute(),
  ]);
  const text = JSON.stringify(rows);
  for (const secret of [driver.phone, driver.user.name, 'AE1234KA', driver.ip]) expect(text).not.toContain(secret);
  expect(rows[0][0]).toMatchObject({ name: 'Deleted', password_hash: null, deleted_at: server.clock.now() });
  expect(await server.logOf(driver.id)).toEqual(['deleted the account']);
  const kept = await server.db.selectFrom('operations').select('user_id').where('id', '=', operation).execute();
  expect(kept).toEqual([{ user_id: driver.id }]);
});

test('a driver downloads all stored data about them, and nothing secret or of others [AUTH-20]', async () => {
  const [driver, other] = [await server.signedIn(), await server.signedIn()];
  const operation = await addOperation(server, driver.id, 'finished');
  await addOperation(server, other.id, 'finished');
  await give(driver.id, 7_00);
  const { station_id } = await server.db
    .selectFrom('operations')
    .select('station_id')
    .where('id', '=', operation)
    .executeTakeFirstOrThrow();
  const created_at = server.clock.now();
  await server.db
    .insertInto('rfid_cards')
    .values([
      { user_id: driver.id, id_tag: '04A1B2C3D4E5F6', created_at },
      { user_id: other.id, id_tag: '0499999999AAAA', created_at },
    ])
    .execute();
  await server.db
    .insertInto('rfid_requests')
    .values({ user_id: driver.id, station_id, status: 'expired', expires_at: created_at, created_at })
    .execute();
  const of = { user_id: driver.id, created_at };
  const card = {
    masked_pan: '44441111****7770',
    system: 'visa' as const,
    token_hash: Buffer.from('a'),
    token: Buffer.from('b'),
  };
  await server.db
    .insertInto('saved_cards')
    .values({ ...of, ...card })
    .execute();
  await server.db
    .insertInto('favourite_stations')
    .values({ ...of, station_id })
    .execute();
  await server.db
    .insertInto('free_alerts')
    .values({ ...of, station_id, connector_type: 'type2', expires_at: created_at })
    .execute();
  await server.db.insertInto('notice_channels').values({ user_id: driver.id, by_sms: true }).execute();
  const party = { name: 'Taxi', owner_id: other.id, created_at };
  const { id: party_id } = await server.db
    .insertInto('parties')
    .values(party)
    .returning('id')
    .executeTakeFirstOrThrow();
  const membership = { user_id: driver.id, party_id, joined_at: created_at };
  await server.db.insertInto('party_members').values(membership).execute();
  const { body, headers } = await driver.call(downloadData);
  expect(headers.get('content-disposition')).toBe('attachment; filename="fpay-data.json"');
  expect(body).toMatchObject({
    user: { id: driver.id, phone_number: driver.phone, terms_version: null },
    cars: [],
    operations: [{ id: operation, status: 'finished' }],
    balance_transactions: [{ type: 'admin', amount: 7_00 }],
    rfid_cards: [{ number: '•••• E5F6', created_at: created_at.toISOString() }],
    rfid_requests: [{ station: expect.stringMatching(/^F/), status: 'expired' }],
    saved_cards: [{ masked_pan: '44441111****7770', system: 'visa' }],
    favourite_stations: [{ station: expect.stringMatching(/^F/) }],
    free_alerts: [{ station: expect.stringMatching(/^F/), connector_type: 'type2' }],
    notice_channels: [{ by_push: true, by_telegram: true, by_sms: true }],
    push_subscriptions: [],
    party: [{ name: 'Taxi', is_closed: false, is_owner: false, allowance: null }],
    sessions: [{ ip: driver.ip }],
    log: [{ actor: 'user', text: `signed in from ${driver.ip}` }],
  });
  expect(JSON.stringify(body)).not.toMatch(/hash|token|argon2|csrf|04A1B2C3|AAAA/);
  for (let time = 1; time < 5; time += 1) expect((await driver.call(downloadData)).status).toBe(200);
  expect((await driver.call(downloadData)).status).toBe(429);
});

test('staff with access-user-log read the log of a user as text, with what staff did [API-60]', async () => {
  const driver = await server.signedIn();
  const support = await server.signedIn('Support');
  server.later(1_000);
  const subject = { kind: 'user', id: driver.id } as const;
  await server.steps.run((step) =>
    createAudit(server.clock)(step, { staff: support.id, action: 'user.role', subject, before: { role: 'User' } }),
  );
  const answer = await support.call(userLog, { params: { id: String(driver.id) } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(String(answer.body).split('\n').slice(0, -1)).toEqual([
    expect.stringMatching(new RegExp(`^2026-11-15 12:00:\\d\\d user: signed in from ${driver.ip}$`)),
    expect.stringMatching(new RegExp(`^2026-11-15 12:00:\\d\\d staff ${support.id}: user.role {"role":"User"} →$`)),
  ]);
  expect((await driver.call(userLog, { params: { id: String(driver.id) } })).status).toBe(403);
  expect((await support.call(userLog, { params: { id: '999999' } })).status).toBe(404);
});
