import { approvals, approve, decline } from '@fpay/contract/admin/approvals';
import { previewBalance, previewReversal } from '@fpay/contract/admin/balance';
import { adminUser, adminUsers, banUser, sendSms, sendTelegram, setRole, unbanUser } from '@fpay/contract/admin/users';
import { userLog } from '@fpay/contract/profile';
import { can, type Role, roles } from '@fpay/contract/roles';
import {
  balanceTransactions,
  cancelBalanceTransaction,
  decreaseBalance,
  dissolveWallet,
  giftBalance,
  increaseBalance,
  shareWallet,
} from '@fpay/contract/wallet';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperation } from '../../testing/operation.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** Users as staff see them, and what staff do to them. */
let server: TestServer;
let boss: Awaited<ReturnType<TestServer['signedIn']>>;
let admin: typeof boss;
beforeAll(async () => {
  server = await startTestServer();
  boss = await server.signedIn('SuperAdmin');
  admin = await server.signedIn('Admin');
});
afterAll(() => server.close());

const listed = async (body: object) => (await admin.client.call(adminUsers, { body })).body;

test('users are listed newest first, with or without temporary ones, as many as were asked for [API-58] [ADM-USR-01] [ADM-USR-02]', async () => {
  const user = await server.addUser();
  const guest = await server.client();
  await guest.mutate('POST', '/api/guest');
  const registered = await listed({});
  expect(registered.length).toBeLessThanOrEqual(50);
  expect(registered[0]).toMatchObject({ id: user.id, is_temporary: false });
  const all = await listed({ count: 2, with_temp: true });
  expect(all).toHaveLength(2);
  expect(all[0]).toMatchObject({ is_temporary: true, phone_number: expect.stringMatching(/^TMP/) });
  expect((await listed({ before: user.id, count: 1 }))[0]?.id).toBeLessThan(user.id);
});

test('a row has id, name, phone, role, last login, wallet and last charge [ADM-USR-04] [ENT-30]', async () => {
  const { id, phone } = await server.signedIn('User');
  const operation = await addOperation(server, id, 'finished');
  const [row] = await listed({ count: 1 });
  expect(row).toEqual({
    id,
    name: expect.any(String),
    phone_number: phone,
    role: 'User',
    is_temporary: false,
    last_login: expect.any(String),
    created_at: expect.any(String),
    wallet: { id: expect.any(Number), balance: 0, is_shared: false, is_owner: true },
    last_charging_operation: {
      id: operation,
      status: 'finished',
      created_at: expect.any(String),
      station_number: expect.stringMatching(/^F/),
    },
    notes: 0,
  });
});

test('a missing name or number is null, and an unknown role is Banned [VAL-33] [ROLE-03]', async () => {
  const { id } = await server.addUser();
  await server.db.updateTable('users').set({ name: ' ', role: sql<Role>`'Overlord'` }).where('id', '=', id).execute();
  expect((await listed({ count: 1 }))[0]).toMatchObject({ id, name: null, role: 'Banned' });
});

test('one user is found by id, by phone and by phone without its plus [API-59] [ADM-USR-03] [ENT-29] [ADM-USR-08] [ADM-USR-17]', async () => {
  const { id, phone } = await server.addUser();
  await admin.client.call(increaseBalance, { body: { user_id: id, amount: 50_00 as never } });
  await admin.client.call(decreaseBalance, { body: { user_id: id, amount: 20_00 as never } });
  const find = async (text: string) => (await admin.client.call(adminUser, { params: { id: text } })).body;
  const user = await find(phone);
  expect(user).toMatchObject({ id, groups: [], has_telegram: false, wallet: { balance: 30_00 } });
  expect(user.balance_transactions.map(({ amount, type, is_reversed }) => ({ amount, type, is_reversed }))).toEqual([
    { amount: -20_00, type: 'admin', is_reversed: false },
    { amount: 50_00, type: 'admin', is_reversed: false },
  ]);
  expect((await find(String(id))).id).toBe(id);
  expect((await find(phone.slice(1))).id).toBe(id);
  expect((await admin.client.call(adminUser, { params: { id: '+380000000001' } })).status).toBe(404);
});

test('staff see the actions that their role has for this user', async () => {
  const { id } = await server.addUser();
  const actions = async (role: Role) => {
    const { client } = await server.signedIn(role);
    return (await client.call(adminUser, { params: { id: String(id) } })).body.actions;
  };
  expect(await actions('Analytic')).toEqual([]);
  expect(await actions('Support')).toEqual(['send_sms']);
  expect(await actions('Admin')).toEqual(['send_sms', 'give', 'take', 'ban']);
  expect(await actions('SuperAdmin')).toEqual(['send_sms', 'give', 'take', 'set_role', 'ban']);
  const own = await admin.client.call(adminUser, { params: { id: String(admin.id) } });
  expect(own.body.actions).toEqual(['send_sms']);
});

test('a role is given below one’s own only, never to oneself or to an equal; sessions end [ADM-USR-19]', async () => {
  const user = await server.signedIn('User');
  const give = (client: typeof boss.client, user_id: number, role: Role) =>
    client.call(setRole, { body: { user_id, role } });
  expect((await give(boss.client, user.id, 'Support')).body).toEqual({ role: 'Support' });
  expect((await user.client.get('/api/user')).status).toBe(401);
  const refused = { status: 403, body: { code: 'role_not_allowed' } };
  expect(await give(boss.client, boss.id, 'User')).toMatchObject(refused);
  const equal = await server.addUser('SuperAdmin');
  expect(await give(boss.client, equal.id, 'User')).toMatchObject(refused);
  expect(await give(boss.client, user.id, 'SuperAdmin')).toMatchObject(refused);
  expect(await give(boss.client, user.id, 'Banned')).toMatchObject(refused);
  expect((await give(admin.client, user.id, 'User')).status).toBe(403);
  const records = server.db.selectFrom('audit').selectAll().where('subject_id', '=', String(user.id));
  expect(await records.execute()).toMatchObject([
    { staff_id: boss.id, action: 'user.set-role', before: { role: 'User' }, after: { role: 'Support' } },
  ]);
});

test('a ban ends the sessions at once and is lifted to a driver; a role does not ban a higher one [ADM-USR-20]', async () => {
  const user = await server.signedIn('User');
  const body = { user_id: user.id };
  expect((await admin.client.call(banUser, { body })).body).toEqual({ role: 'Banned' });
  expect((await user.client.get('/api/user')).status).toBe(401);
  expect((await admin.client.call(banUser, { body })).status).toBe(409);
  expect((await admin.client.call(unbanUser, { body })).body).toEqual({ role: 'User' });
  for (const user_id of [boss.id, admin.id, (await server.addUser('Support')).id]) {
    expect((await admin.client.call(banUser, { body: { user_id } })).status).toBe(403);
  }
});

test('an SMS needs contact-users and a text, and leaves with its record [API-80] [ROLE-16] [VAL-23] [ADM-USR-16]', async () => {
  const { id, phone } = await server.addUser();
  const support = await server.signedIn('Support');
  const send = (message: string, phone_number = phone) =>
    support.client.call(sendSms, { body: { phone_number, message } });
  expect((await send('Your charge is over')).body).toEqual({ is_queued: true });
  expect([(await send('  ')).status, (await send('Hello', '+380000000002')).status]).toEqual([422, 404]);
  const record = server.db
    .selectFrom('audit')
    .innerJoin('audit_personal as p', 'p.audit_id', 'audit.id')
    .select(['action', 'after', 'p.user_id', 'p.values'])
    .where('subject_id', '=', String(id));
  expect(await record.execute()).toEqual([
    { action: 'user.send-sms', after: null, user_id: id, values: { text: 'Your charge is over' } },
  ]);
});

test('a Telegram message needs the page only, a text, and a user with Telegram [API-81] [ROLE-15]', async () => {
  const { id } = await server.addUser();
  const analytic = await server.signedIn('Analytic');
  const send = (message: string, user_id = id) => analytic.client.call(sendTelegram, { body: { user_id, message } });
  expect(await send('Hello')).toMatchObject({ status: 409, body: { code: 'telegram_not_linked' } });
  expect([(await send('')).status, (await send('Hello', 999_999)).status]).toEqual([422, 404]);
});

test('a sum above the limit moves when a second staff member approves it, once, and never by the one who asked', async () => {
  const { id: user_id } = await server.addUser();
  const [author, second] = [await server.signedIn('Admin'), await server.signedIn('Admin')];
  const balance = () => server.wallet.balanceOf(user_id);
  const ask = async (amount: number) =>
    (await author.client.call(increaseBalance, { body: { user_id, amount: amount as never } })).body;
  expect(await ask(5_000_00)).toEqual({ balance: 5_000_00, approval_id: null });
  const { approval_id } = await ask(5_000_01);
  expect(approval_id).toEqual(expect.any(Number));
  expect(await balance()).toBe(5_000_00);
  const params = { id: String(approval_id) };
  const waiting = async (client: typeof boss.client) =>
    (await client.call(approvals)).body.find(({ id }) => id === approval_id)?.is_mine_to_decide;
  expect([await waiting(author.client), await waiting(second.client)]).toEqual([false, true]);
  expect(await author.client.call(approve, { params })).toMatchObject({ status: 403, body: { code: 'own_request' } });
  expect((await second.client.call(approve, { params })).body).toEqual({ balance: 10_000_01 });
  expect((await second.client.call(approve, { params })).status).toBe(409);
  expect(await balance()).toBe(10_000_01);
  const declined = (await ask(6_000_00)).approval_id;
  expect((await second.client.call(decline, { params: { id: String(declined) } })).status).toBe(204);
  expect((await second.client.call(approve, { params: { id: String(declined) } })).status).toBe(409);
  expect(await balance()).toBe(10_000_01);
});

test('a sum to give is a whole number from 1 to 1000000 [VAL-22]', async () => {
  const { id: user_id } = await server.addUser();
  for (const amount of [0, 1_000_001, 1.5, -1]) {
    const answer = await admin.client.call(increaseBalance, { body: { user_id, amount: amount as never } });
    expect([amount, answer.status]).toEqual([amount, 422]);
  }
});

test('staff with manage-users share a wallet and dissolve it; each step is on record and no money moves [BAL-17]', async () => {
  const [owner, member] = [await server.addUser(), await server.addUser()];
  await admin.client.call(increaseBalance, { body: { user_id: owner.id, amount: 100_00 as never } });
  await admin.client.call(increaseBalance, { body: { user_id: member.id, amount: 7_00 as never } });
  const body = { owner_id: owner.id, user_ids: [member.id] };
  const walletOf = async (user: number) =>
    (await admin.client.call(adminUser, { params: { id: String(user) } })).body.wallet;
  const own = await walletOf(member.id);
  for (const role of roles.filter((one) => one !== 'Banned')) {
    const { client } = await server.signedIn(role);
    const shared = await client.call(shareWallet, { body });
    const dissolved = await client.call(dissolveWallet, { body: { owner_id: owner.id } });
    const expected = can(role, 'access-admin-page') && can(role, 'manage-users') ? 200 : 403;
    expect([role, shared.status, dissolved.status]).toEqual([role, expected, expected]);
  }
  expect((await admin.client.call(shareWallet, { body })).status).toBe(200);
  expect(await walletOf(member.id)).toMatchObject({ balance: 100_00, is_shared: true, is_owner: false });
  expect((await admin.client.call(dissolveWallet, { body: { owner_id: owner.id } })).status).toBe(200);
  expect(await walletOf(member.id)).toEqual(own);
  expect(await walletOf(owner.id)).toMatchObject({ balance: 100_00, is_shared: false });
  expect(await admin.client.call(dissolveWallet, { body: { owner_id: owner.id } })).toMatchObject({
    status: 409,
    body: { code: 'wallet_not_shareable' },
  });
  const records = server.db.selectFrom('audit').select(['staff_id', 'action']).where('staff_id', '=', admin.id);
  const found = await records
    .where('subject_id', '=', String(owner.id))
    .where('action', 'like', 'wallet.%')
    .orderBy('id')
    .execute();
  expect(found).toEqual([
    { staff_id: admin.id, action: 'wallet.share' },
    { staff_id: admin.id, action: 'wallet.dissolve' },
  ]);
});

test('every action of staff on a user or their money is in the user’s log, and its record cannot be changed [ADM-OP-27]', async () => {
  const [user, other] = [await server.addUser(), await server.addUser()];
  const body = { user_id: user.id };
  await boss.client.call(increaseBalance, { body: { ...body, amount: 30_00 as never } });
  await boss.client.call(decreaseBalance, { body: { ...body, amount: 10_00 as never } });
  const { balance_transactions } = (await boss.client.call(adminUser, { params: { id: String(user.id) } })).body;
  const transaction = balance_transactions[0]?.id ?? 0;
  await boss.client.call(cancelBalanceTransaction, {
    body: { id: transaction, cancel_payment: false, allow_partial: false },
  });
  await boss.client.call(shareWallet, { body: { owner_id: other.id, user_ids: [user.id] } });
  await boss.client.call(dissolveWallet, { body: { owner_id: other.id } });
  await boss.client.call(sendSms, { body: { phone_number: user.phone, message: 'Hello' } });
  await boss.client.call(setRole, { body: { ...body, role: 'Support' } });
  await boss.client.call(setRole, { body: { ...body, role: 'User' } });
  await boss.client.call(banUser, { body });
  await boss.client.call(unbanUser, { body });
  const log = String((await boss.client.call(userLog, { params: { id: String(user.id) } })).body);
  const lines = log.split(`\n`).flatMap((line) => line.split(`staff ${boss.id}: `).slice(1));
  expect(lines.filter((line) => !line.startsWith('role '))).toEqual([
    expect.stringMatching(/^balance.increase .*3000/),
    expect.stringMatching(/^balance.decrease .*1000/),
    `transaction ${transaction} reversed: 1000 kopecks`,
    expect.stringMatching(/^pays from wallet \d+$/),
    expect.stringMatching(/^pays from wallet \d+ again$/),
    expect.stringMatching(/^user.send-sms .*Hello/),
    'user.set-role {"role":"User"} → {"role":"Support"}',
    'user.set-role {"role":"Support"} → {"role":"User"}',
    'user.ban {"role":"User"} → {"role":"Banned"}',
    'user.unban {"role":"Banned"} → {"role":"User"}',
  ]);
  const records = server.db
    .selectFrom('audit')
    .selectAll()
    .where('staff_id', '=', boss.id)
    .where('action', 'not like', 'read.%')
    .orderBy('id', 'desc');
  expect(await records.limit(1).executeTakeFirst()).toMatchObject({
    staff_id: boss.id,
    action: 'user.unban',
    subject_kind: 'user',
    subject_id: String(user.id),
    before: { role: 'Banned' },
    after: { role: 'User' },
    created_at: expect.any(Date),
  });
  await expect(sql`update audit set action = 'nothing'`.execute(server.db)).rejects.toThrow();
  await expect(sql`delete from audit`.execute(server.db)).rejects.toThrow();
});

test('staff see the effect on balances before it: the preview moves nothing and says what the action then does', async () => {
  const [sender, recipient, third] = [
    await server.signedIn('User'),
    await server.signedIn('User'),
    await server.addUser(),
  ];
  const balance = ({ id }: { id: number }) => server.wallet.balanceOf(id);
  const gift = (to: string, amount: number) => ({ body: { to, amount: amount as never } });
  const nothing = { is_partial: false, needs_approval: false, to_card: false };
  const give = { user_id: sender.id, amount: 100_00 as never };
  const changed = (user: { id: number }, from: number, to: number) => ({
    user_id: user.id,
    name: expect.any(String),
    from,
    to,
  });
  const previewed = await boss.client.call(previewBalance, { body: { ...give, action: 'give' } });
  const given = {
    ...nothing,
    is_allowed: true,
    refusal: null,
    amount: 100_00,
    wallets: [changed(sender, 0, 100_00)],
  };
  expect(previewed.body).toEqual(given);
  expect(await balance(sender)).toBe(0);
  await boss.client.call(increaseBalance, { body: give });
  expect(await balance(sender)).toBe(100_00);
  const take = async (amount: number) =>
    (await boss.client.call(previewBalance, { body: { ...give, amount: amount as never, action: 'take' } })).body;
  expect(await take(40_00)).toMatchObject({ is_allowed: true, wallets: [changed(sender, 100_00, 60_00)] });
  expect(await take(100_01)).toMatchObject({ is_allowed: false, refusal: 'insufficient_balance', wallets: [] });
  const large = { ...give, amount: 5_000_01 as never, action: 'give' as const };
  expect((await boss.client.call(previewBalance, { body: large })).body.needs_approval).toBe(true);
  const own = { ...give, user_id: boss.id, action: 'give' as const };
  expect((await boss.client.call(previewBalance, { body: own })).body.refusal).toBe('own_balance');

  await sender.client.call(giftBalance, gift(recipient.phone, 60_00));
  await recipient.client.call(giftBalance, gift(third.phone, 45_00));
  const id = (await sender.client.call(balanceTransactions, { query: {} })).body[0]?.id ?? 0;
  const reversal = async (allow_partial: boolean) =>
    (await boss.client.call(previewReversal, { body: { id, cancel_payment: false, allow_partial } })).body;
  expect(await reversal(false)).toMatchObject({ is_allowed: false, refusal: 'balance_too_small' });
  expect(await reversal(true)).toEqual({
    ...nothing,
    is_allowed: true,
    refusal: null,
    amount: 15_00,
    is_partial: true,
    wallets: [changed(sender, 40_00, 55_00), changed(recipient, 15_00, 0)],
  });
  expect([await balance(sender), await balance(recipient)]).toEqual([40_00, 15_00]);
  await boss.client.call(cancelBalanceTransaction, { body: { id, cancel_payment: false, allow_partial: true } });
  expect([await balance(sender), await balance(recipient)]).toEqual([55_00, 0]);
  expect((await reversal(true)).refusal).toBe('already_reversed');
});
