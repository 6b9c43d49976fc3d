import { kopecks } from '@fpay/contract/money';
import {
  acceptInvitation,
  declineInvitation,
  inviteToParty,
  leaveParty,
  ownInvitations,
  partyData,
  withdrawInvitation,
} from '@fpay/contract/party';
import type { ErrorBody } from '@fpay/contract/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PartyServer, refusalCodeOf, startPartyServer } from './testing/parties.ts';

let server: PartyServer;
beforeAll(async () => {
  server = await startPartyServer();
});
afterAll(() => server.close());

type SignedIn = Awaited<ReturnType<PartyServer['signedIn']>>;

const byId = (id: number) => ({ params: { id: String(id) } });

async function invited(owner: SignedIn, driver: SignedIn): Promise<number> {
  const answer = await owner.client.call(inviteToParty, { body: { phone_number: driver.phone } });
  expect(answer.status).toBe(204);
  const { body } = await driver.client.call(ownInvitations, {});
  return body.at(-1)?.id ?? 0;
}

test('an invited driver sees the invitation and becomes a member', async () => {
  const { owner } = await server.partyOf({ isClosed: true });
  const driver = await server.signedIn();
  const id = await invited(owner, driver);
  const { body } = await driver.client.call(ownInvitations, {});
  expect(body).toEqual([{ id, party_name: 'Green park', owner_name: expect.any(String), is_closed: true }]);
  expect((await owner.client.call(partyData, {})).body.invitations).toEqual([
    { id, phone_number: driver.phone, created_at: expect.any(String) },
  ]);
  expect((await driver.client.call(acceptInvitation, byId(id))).status).toBe(204);
  expect((await driver.client.call(partyData, {})).body).toMatchObject({ party_name: 'Green park', is_owner: false });
  expect((await driver.client.call(ownInvitations, {})).body).toEqual([]);
  expect((await driver.client.call(acceptInvitation, byId(id))).status).toBe(404);
});

test('an invitation can be declined, withdrawn and repeated, and belongs to its number only', async () => {
  const { owner, member } = await server.partyOf({ isClosed: false });
  const [driver, stranger] = [await server.signedIn(), await server.signedIn()];
  const first = await invited(owner, driver);
  for (const { client } of [stranger, member, owner]) {
    expect((await client.call(acceptInvitation, byId(first))).status).toBe(404);
    expect((await client.call(declineInvitation, byId(first))).status).toBe(404);
  }
  const foreign = await server.partyOf({ isClosed: false });
  expect((await foreign.owner.client.call(withdrawInvitation, byId(first))).status).toBe(404);
  expect(await invited(owner, driver)).toBe(first);
  expect((await driver.client.call(declineInvitation, byId(first))).status).toBe(204);
  const second = await invited(owner, driver);
  expect(second).toBeGreaterThan(first);
  expect((await owner.client.call(withdrawInvitation, byId(second))).status).toBe(204);
  expect((await driver.client.call(acceptInvitation, byId(second))).status).toBe(404);
});

test('an invitation answers alike for a known and an unknown number, and refuses the owner and members', async () => {
  const { owner, member } = await server.partyOf({ isClosed: false });
  const unknown = await owner.client.call(inviteToParty, { body: { phone_number: '+380999999999' } });
  expect(unknown.status).toBe(204);
  const own = await owner.client.call(inviteToParty, { body: { phone_number: owner.phone } });
  expect([own.status, (own.body as ErrorBody | undefined)?.errors]).toEqual([
    422,
    { phone_number: ['This is your own phone number.'] },
  ]);
  const again = await owner.client.call(inviteToParty, { body: { phone_number: member.phone } });
  expect([again.status, refusalCodeOf(again)]).toEqual([409, 'already_in_party']);
  const byMember = await member.client.call(inviteToParty, { body: { phone_number: '+380999999998' } });
  expect([byMember.status, refusalCodeOf(byMember)]).toEqual([403, 'not_party_owner']);
});

test('a member of another party and staff cannot accept [PARTY-21]', async () => {
  const { owner } = await server.partyOf({ isClosed: true });
  const { member } = await server.partyOf({ isClosed: true });
  const taken = await member.client.call(acceptInvitation, byId(await invited(owner, member)));
  expect([taken.status, refusalCodeOf(taken)]).toEqual([409, 'already_in_party']);
  const staff = await server.signedIn('Support');
  const refused = await staff.client.call(acceptInvitation, byId(await invited(owner, staff)));
  expect([refused.status, refusalCodeOf(refused)]).toEqual([403, 'staff_not_in_party']);
  expect((await staff.client.call(ownInvitations, {})).body).toHaveLength(1);
});

test('a user of a shared wallet joins a closed party only together with all users of the wallet', async () => {
  const { owner } = await server.partyOf({ isClosed: true });
  const [driver, partner, staff] = [await server.signedIn(), await server.signedIn(), await server.signedIn('Admin')];
  await server.sharedWallets.share(staff.id, partner.id, [driver.id]);
  const answer = await driver.client.call(acceptInvitation, byId(await invited(owner, driver)));
  expect([answer.status, refusalCodeOf(answer)]).toEqual([409, 'wallet_crosses_border']);
  expect((await driver.client.call(partyData, {})).status).toBe(404);
});

test('a member leaves an open party with the balance', async () => {
  const { member } = await server.partyOf({ isClosed: false });
  await server.give(member.id, 50_00);
  const answer = await member.client.call(leaveParty, { body: { return_to_owner: false } });
  expect([answer.status, answer.body]).toEqual([200, { returned: 0, kept: 50_00 }]);
  expect(await server.balanceOf(member.id)).toBe(50_00);
  expect((await member.client.call(partyData, {})).status).toBe(404);
});

test('a member leaves a closed party when its money returns to the owner, and not before [PARTY-18]', async () => {
  const { owner, member, other } = await server.partyOf({ isClosed: true });
  await server.give(owner.id, 50_00);
  await server.ownerGives(owner.id, member.id, 50_00);
  const kept = await member.client.call(leaveParty, { body: { return_to_owner: false } });
  expect([kept.status, refusalCodeOf(kept)]).toEqual([409, 'party_has_balance']);
  expect((await member.client.call(partyData, {})).status).toBe(200);
  const left = await member.client.call(leaveParty, { body: { return_to_owner: true } });
  expect([left.status, left.body]).toEqual([200, { returned: 50_00, kept: 0 }]);
  expect(await server.balanceOf(owner.id)).toBe(50_00);
  expect((await other.client.call(leaveParty, { body: { return_to_owner: false } })).status).toBe(200);
});

test('a deposit that is set aside keeps its driver in a closed party, because its rest would return outside [PARTY-18]', async () => {
  const { id, member } = await server.partyOf({ isClosed: true });
  const station = await server.station({ number: 'F5101', partyId: id });
  const operation = await server.charge({ user: member.id, station, at: new Date(), energyWh: 0, status: 'ongoing' });
  const answer = await member.client.call(leaveParty, { body: { return_to_owner: true } });
  expect([answer.status, refusalCodeOf(answer)]).toEqual([409, 'party_has_operations']);
  await server.db.updateTable('operations').set({ status: 'canceled' }).where('id', '=', operation).execute();
  expect((await member.client.call(leaveParty, { body: { return_to_owner: true } })).status).toBe(200);
});

test('a user of a shared wallet cannot leave a closed party with it [PARTY-18]', async () => {
  const { member, other } = await server.partyOf({ isClosed: true });
  const staff = await server.signedIn('Admin');
  await server.sharedWallets.share(staff.id, member.id, [other.id]);
  for (const { client } of [member, other]) {
    const answer = await client.call(leaveParty, { body: { return_to_owner: true } });
    expect([answer.status, refusalCodeOf(answer)]).toEqual([409, 'wallet_crosses_border']);
  }
});

test('the owner and a driver without a party cannot leave', async () => {
  const { owner } = await server.partyOf({ isClosed: false });
  const answer = await owner.client.call(leaveParty, { body: { return_to_owner: false } });
  expect([answer.status, refusalCodeOf(answer)]).toEqual([409, 'party_owner_stays']);
  const stranger = await server.signedIn();
  expect((await stranger.client.call(leaveParty, { body: { return_to_owner: false } })).status).toBe(404);
});

test('a gift on its way to a member and the member’s leaving happen one after the other [PARTY-18]', async () => {
  const { owner, member } = await server.partyOf({ isClosed: true });
  await server.give(owner.id, 100_00);
  const viewer = { id: member.id, role: 'User' } as const;
  const [gift, leaving] = await Promise.allSettled([
    server.party.owner.give({ id: owner.id, role: 'User' }, [member.id], kopecks(10_00), 'race'),
    server.party.joining.leave(viewer, { returnsToOwner: true }),
  ]);
  expect(leaving.status).toBe('fulfilled');
  expect(['fulfilled', 'rejected']).toContain(gift.status);
  expect(await server.balanceOf(member.id)).toBe(0);
  expect(await server.balanceOf(owner.id)).toBe(100_00);
});
