import {
  addParty,
  addPartyMember,
  changePartyOwner,
  closeParty,
  networkParties,
  networkParty,
  removePartyMember,
  renameParty,
  reopenParty,
} from '@fpay/contract/admin/network/parties';
import { kopecks } from '@fpay/contract/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentRules } from '../../payments/nightly/ledger-rules.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { checkLedger, ledgerRules } from '../../wallet/check.ts';

/** Staff build parties; the border of a closed one holds for them too. */
let server: TestServer;
let admin: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn('Admin');
});
afterAll(() => server.close());

async function driver(balance = 0) {
  const user = await server.addUser();
  const money = { staff: admin.id, user: user.id, amount: kopecks(balance), requestKey: `test:${user.id}` };
  if (balance > 0) await server.staffMoney.increase(money);
  return user;
}
const create = (owner: string, is_closed: boolean) =>
  admin.client.call(addParty, { body: { name: 'Таксі', owner, is_closed } });
const read = async (id: number) => (await admin.client.call(networkParty, { params: { id: String(id) } })).body;

test('a party has an owner, members and a closed flag, all on record', async () => {
  const [owner, member] = [await driver(), await driver()];
  const { body: party } = await create(owner.phone, false);
  const params = { id: String(party.id) };
  expect((await admin.client.call(addPartyMember, { params, body: { user: String(member.id) } })).status).toBe(204);
  expect((await admin.client.call(closeParty, { params })).status).toBe(204);
  expect(await read(party.id)).toMatchObject({
    name: 'Таксі',
    is_closed: true,
    owner: { id: owner.id },
    member_list: [
      { id: owner.id, is_owner: true },
      { id: member.id, is_owner: false },
    ],
    station_numbers: [],
  });
  expect((await admin.client.call(networkParties)).body).toMatchObject([{ id: party.id, members: 2, stations: 0 }]);
  expect(await admin.client.call(closeParty, { params })).toMatchObject({ status: 409 });
  const records = server.db.selectFrom('audit').select('action').where('subject_kind', '=', 'party');
  expect((await records.orderBy('id').execute()).map(({ action }) => action)).toEqual([
    'party.add',
    'party.add-member',
    'party.close',
  ]);
});

test('a driver is in one party only, and staff are in none', async () => {
  const owner = await driver();
  const { body: party } = await create(owner.phone, false);
  const params = { id: String(party.id) };
  const add = (user: number) => admin.client.call(addPartyMember, { params, body: { user: String(user) } });
  expect(await add(owner.id)).toMatchObject({ status: 409, body: { code: 'already_in_party' } });
  expect(await add((await server.addUser('Operator')).id)).toMatchObject({
    status: 403,
    body: { code: 'staff_not_in_party' },
  });
  expect(await add(987_654)).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  const before = (await admin.client.call(networkParties)).body.length;
  expect((await create(String(admin.id), true)).status).toBe(403);
  expect((await admin.client.call(networkParties)).body).toHaveLength(before);
});

test('money of a closed party returns to the owner, or nothing happens, and the members’ own stays [PARTY-18]', async () => {
  const [owner, first, second] = [await driver(), await driver(), await driver()];
  const { body: party } = await create(owner.phone, true);
  const params = { id: String(party.id) };
  for (const { id } of [first, second]) {
    await admin.client.call(addPartyMember, { params, body: { user: String(id) } });
    const money = { staff: admin.id, user: id, amount: kopecks(5_00), requestKey: `inside:${id}` };
    await server.staffMoney.increase(money);
  }
  await server.staffMoney.increase({
    staff: admin.id,
    user: owner.id,
    amount: kopecks(140_00),
    requestKey: 'to-the-owner',
  });
  const viewer = { id: owner.id, role: 'User' } as const;
  await server.features.party.owner.give(viewer, [first.id, second.id], kopecks(70_00), 'to-members');
  const remove = (user: number, return_to_owner: boolean) =>
    admin.client.call(removePartyMember, { params: { ...params, user: String(user) }, body: { return_to_owner } });
  expect(await remove(first.id, false)).toMatchObject({ status: 409, body: { code: 'party_has_balance' } });
  expect(await remove(owner.id, true)).toMatchObject({ status: 409, body: { code: 'party_owner_stays' } });
  expect(await remove(first.id, true)).toMatchObject({ status: 200, body: { returned: 70_00 } });
  expect(await remove(first.id, true)).toMatchObject({ status: 404 });

  const open = (return_to_owner: boolean) => admin.client.call(reopenParty, { params, body: { return_to_owner } });
  expect(await open(false)).toMatchObject({ status: 409, body: { code: 'party_has_balance' } });
  expect((await read(party.id)).is_closed).toBe(true);
  expect(await open(true)).toMatchObject({ status: 200, body: { returned: 70_00 } });
  expect(await read(party.id)).toMatchObject({
    is_closed: false,
    member_list: [
      { id: owner.id, balance: 140_00 },
      { id: second.id, balance: 5_00 },
    ],
  });
  expect(await checkLedger(server.db, [...ledgerRules, ...paymentRules])).toEqual([]);
});

test('staff rename a party and make a member its owner, on record and without moving money', async () => {
  const [owner, member, stranger] = [await driver(), await driver(), await driver()];
  const { body: party } = await create(owner.phone, true);
  const params = { id: String(party.id) };
  await admin.client.call(addPartyMember, { params, body: { user: member.phone } });
  const allowance = { user_id: member.id, amount: 100_00, day: 5, created_at: new Date() };
  await server.db.insertInto('party_allowances').values(allowance).execute();
  const money = { staff: admin.id, user: member.id, amount: kopecks(30_00), requestKey: `owner:${member.id}` };
  await server.staffMoney.increase(money);

  expect((await admin.client.call(renameParty, { params, body: { name: '  Кур’єри ' } })).status).toBe(204);
  expect((await admin.client.call(renameParty, { params, body: { name: ' ' } })).status).toBe(422);
  const change = (user: string) => admin.client.call(changePartyOwner, { params, body: { user } });
  expect(await change(stranger.phone)).toMatchObject({ status: 409, body: { code: 'not_party_member' } });
  expect(await change('987654')).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  expect((await change(String(member.id))).status).toBe(204);
  // A repeat changes nothing and is not on record again.
  expect((await change(String(member.id))).status).toBe(204);

  expect(await read(party.id)).toMatchObject({
    name: 'Кур’єри',
    owner: { id: member.id },
    member_list: [
      { id: owner.id, is_owner: false, balance: 0 },
      { id: member.id, is_owner: true, balance: 30_00 },
    ],
  });
  // An owner does not give to themselves.
  expect(await server.db.selectFrom('party_allowances').selectAll().where('user_id', '=', member.id).execute()).toEqual(
    [],
  );
  const remove = (user: number) =>
    admin.client.call(removePartyMember, {
      params: { ...params, user: String(user) },
      body: { return_to_owner: true },
    });
  expect(await remove(member.id)).toMatchObject({ status: 409, body: { code: 'party_owner_stays' } });
  expect((await remove(owner.id)).status).toBe(200);
  const records = await server.db
    .selectFrom('audit')
    .select(['action', 'before', 'after'])
    .where('subject_kind', '=', 'party')
    .where('subject_id', '=', String(party.id))
    .where('action', 'in', ['party.rename', 'party.change-owner'])
    .orderBy('id')
    .execute();
  expect(records).toEqual([
    { action: 'party.rename', before: { name: 'Таксі' }, after: { name: 'Кур’єри' } },
    { action: 'party.change-owner', before: { owner: owner.id }, after: { owner: member.id } },
  ]);
});

test('a member who is removed at the same time never owns the party from outside', async () => {
  const [owner, member] = [await driver(), await driver()];
  const { body: party } = await create(owner.phone, false);
  const params = { id: String(party.id) };
  for (let times = 0; times < 5; times += 1) {
    await admin.client.call(addPartyMember, { params, body: { user: member.phone } });
    await Promise.all([
      admin.client.call(changePartyOwner, { params, body: { user: member.phone } }),
      admin.client.call(removePartyMember, {
        params: { ...params, user: String(member.id) },
        body: { return_to_owner: true },
      }),
    ]);
    const { member_list: members } = await read(party.id);
    expect(members.filter(({ is_owner }) => is_owner)).toHaveLength(1);
    await admin.client.call(changePartyOwner, { params, body: { user: owner.phone } });
  }
});
