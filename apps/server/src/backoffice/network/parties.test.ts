import {
  addParty,
  addPartyMember,
  closeParty,
  networkParties,
  networkParty,
  removePartyMember,
  reopenParty,
} from '@fpay/contract/admin/network/parties';
import { kopecks } from '@fpay/contract/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentRules } from '../../payments/ledger-rules.ts';
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
  expect(await add(admin.id)).toMatchObject({ status: 403, body: { code: 'staff_not_in_party' } });
  expect(await add(987_654)).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
  const before = (await admin.client.call(networkParties)).body.length;
  expect((await create(String(admin.id), true)).status).toBe(403);
  expect((await admin.client.call(networkParties)).body).toHaveLength(before);
});

test('money stays inside a closed party: it returns to the owner, or nothing happens', async () => {
  const [owner, first, second] = [await driver(), await driver(), await driver()];
  const { body: party } = await create(owner.phone, true);
  const params = { id: String(party.id) };
  for (const { id } of [first, second]) {
    await admin.client.call(addPartyMember, { params, body: { user: String(id) } });
    const money = { staff: admin.id, user: id, amount: kopecks(70_00), requestKey: `inside:${id}` };
    await server.staffMoney.increase(money);
  }
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
      { id: second.id, balance: 0 },
    ],
  });
  expect(await checkLedger(server.db, [...ledgerRules, ...paymentRules])).toEqual([]);
});
