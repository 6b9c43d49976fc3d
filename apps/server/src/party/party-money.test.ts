import { kopecks } from '@fpay/contract/money';
import {
  acceptInvitation,
  inviteToParty,
  leaveParty,
  ownInvitations,
  partyData,
  removeMember,
} from '@fpay/contract/party';
import { giftBalance } from '@fpay/contract/wallet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger, ledgerRules } from '../wallet/check.ts';
import { network } from '../wallet/transfer.ts';
import { type PartyServer, refusalCodeOf, startPartyServer } from './testing/parties.ts';

let server: PartyServer;
let staff: number;
beforeAll(async () => {
  server = await startPartyServer({ env: { GIFTS_PER_DAY: '100000000' } });
  staff = (await server.addUser('Admin')).id;
});
afterAll(() => server.close());

let operations = 1_000_000;

/** A charge from the balance of somebody, as the ledger sees it. */
async function charge(user: number, deposit: number, total: number) {
  operations += 1;
  const operation = operations;
  const reserved = await server.steps.run((step) =>
    server.wallet.reserve(step, { operation, user, deposit: kopecks(deposit) }),
  );
  const settle = () => server.steps.run((step) => server.wallet.settle(step, reserved, kopecks(total)));
  const correct = (settled: number, corrected: number) =>
    server.steps.run((step) =>
      server.wallet.correct(step, reserved, { settled: kopecks(settled), total: kopecks(corrected) }),
    );
  return { operation, settle, correct };
}

const closedParty = async () => {
  const party = await server.partyOf({ isClosed: true });
  await server.give(party.owner.id, 1_000_00);
  return party;
};
const partsOf = (user: number) => server.partsOf(user);

describe('the money of a closed party', () => {
  test('joining and leaving gives the owner nothing of the driver’s own money [PARTY-18]', async () => {
    const { owner } = await closedParty();
    const driver = await server.signedIn();
    await server.give(driver.id, 239_85);
    await owner.client.call(inviteToParty, { body: { phone_number: driver.phone } });
    const [invitation] = (await driver.client.call(ownInvitations, {})).body;
    await driver.client.call(acceptInvitation, { params: { id: String(invitation?.id) } });
    const left = await driver.client.call(leaveParty, { body: { return_to_owner: true } });
    expect([left.status, left.body]).toEqual([200, { returned: 0, kept: 239_85 }]);
    expect([await server.balanceOf(driver.id), await server.balanceOf(owner.id)]).toEqual([239_85, 1_000_00]);
  });

  test('a member sees both sums before leaving, and the owner the whole wallet and its part [PARTY-18] [PARTY-22]', async () => {
    const { owner, member } = await closedParty();
    await server.give(member.id, 884_50);
    await server.ownerGives(owner.id, member.id, 400_00);
    const { body } = await member.client.call(partyData, {});
    expect(body.own).toEqual({ own_balance: 884_50, party_balance: 400_00, charges: 0 });
    const seen = (await owner.client.call(partyData, {})).body;
    expect(seen.own).toBeNull();
    expect(seen.member_list.find(({ id }: { id: number }) => id === member.id)).toMatchObject({
      balance: 1_284_50,
      party_balance: 400_00,
    });
    const answer = await member.client.call(leaveParty, { body: { return_to_owner: true } });
    expect(answer.body).toEqual({ returned: 400_00, kept: 884_50 });
    expect([await partsOf(member.id), await server.balanceOf(owner.id)]).toEqual([{ own: 884_50, party: 0 }, 1_000_00]);
  });

  test('the owner removes a member, who keeps the own money [PARTY-18]', async () => {
    const { owner, member, other } = await closedParty();
    await server.give(member.id, 30_00);
    await server.ownerGives(owner.id, member.id, 70_00);
    const byId = (id: number) => ({ params: { id: String(id) } });
    expect((await other.client.call(removeMember, byId(member.id))).status).toBe(403);
    const own = await owner.client.call(removeMember, byId(owner.id));
    expect([own.status, refusalCodeOf(own)]).toEqual([409, 'party_owner_stays']);
    const answer = await owner.client.call(removeMember, byId(member.id));
    expect([answer.status, answer.body]).toEqual([200, { returned: 70_00, kept: 30_00 }]);
    expect((await member.client.call(partyData, {})).status).toBe(404);
    expect((await owner.client.call(removeMember, byId(member.id))).status).toBe(404);
  });

  test('a charge takes the party’s money first, and what returns goes back to the money that paid [PARTY-18]', async () => {
    const { owner, member } = await closedParty();
    await server.give(member.id, 50_00);
    await server.ownerGives(owner.id, member.id, 60_00);
    const { settle } = await charge(member.id, 80_00, 70_00);
    expect(await partsOf(member.id)).toEqual({ own: 30_00, party: 0 });
    await settle();
    // 60.00 of the party and 10.00 of the own are used; the rest of the deposit was own money.
    expect(await partsOf(member.id)).toEqual({ own: 40_00, party: 0 });
    const small = await charge(member.id, 10_00, 0);
    await small.settle();
    expect(await partsOf(member.id)).toEqual({ own: 40_00, party: 0 });
  });

  test('a gift between members is own money first, and the party’s stays the party’s', async () => {
    const { owner, member, other } = await closedParty();
    await server.give(member.id, 20_00);
    await server.ownerGives(owner.id, member.id, 50_00);
    const give = (to: string, amount: number) =>
      member.client.call(giftBalance, { body: { to, amount: kopecks(amount) } });
    expect((await give(other.phone, 30_00)).status).toBe(200);
    expect([await partsOf(member.id), await partsOf(other.id)]).toEqual([
      { own: 0, party: 40_00 },
      { own: 20_00, party: 10_00 },
    ]);
    expect((await give(owner.phone, 40_00)).status).toBe(200);
    expect(await partsOf(owner.id)).toEqual({ own: 990_00, party: 0 });
  });

  test('the owner of a shared wallet decides nothing about the party’s money in it', async () => {
    const { owner, member, other } = await server.partyOf({ isClosed: true, members: 3 });
    await server.give(owner.id, 100_00);
    const [, , third] = (await owner.client.call(partyData, {})).body.member_list.slice(1);
    await server.sharedWallets.share(staff, member.id, [other.id]);
    await server.give(member.id, 10_00);
    await server.ownerGives(owner.id, member.id, 50_00);
    const give = (amount: number) =>
      member.client.call(giftBalance, { body: { to: third?.phone_number ?? '', amount: kopecks(amount) } });
    const refused = await give(10_01);
    expect([refused.status, refusalCodeOf(refused)]).toEqual([402, 'insufficient_balance']);
    expect((await give(10_00)).status).toBe(200);
    expect(await partsOf(other.id)).toEqual({ own: 0, party: 50_00 });
  });

  test('a card gets nothing of the party’s money', async () => {
    const { owner, member } = await closedParty();
    await server.give(member.id, 20_00);
    await server.ownerGives(owner.id, member.id, 50_00);
    const { wallet } = (await server.ledger.holder(member.id)) ?? {};
    if (!wallet) throw new Error('there is no wallet');
    const back = (amount: number) =>
      server.steps.run((step) =>
        server.wallet.transfer(step, [
          { key: `back:${amount}`, kind: 'chargeback', from: wallet, to: network.clearing, amount: kopecks(amount) },
        ]),
      );
    await expect(back(20_01)).rejects.toMatchObject({ code: 'insufficient_balance' });
    await back(20_00);
    expect(await partsOf(member.id)).toEqual({ own: 0, party: 50_00 });
  });

  test('a gift that staff take back is the party’s money again, and what was spent of it is not taken from the member', async () => {
    const { owner, member } = await closedParty();
    await server.give(member.id, 40_00);
    await server.ownerGives(owner.id, member.id, 50_00);
    await (await charge(member.id, 20_00, 20_00)).settle();
    const { id } = await server.db
      .selectFrom('transfers')
      .select('id')
      .where('kind', '=', 'gift')
      .where('recipient_id', '=', member.id)
      .executeTakeFirstOrThrow();
    const cancel = (allowPartial: boolean) =>
      server.staffMoney.cancelTransaction({
        staff,
        transaction: id,
        cancelPayment: false,
        allowPartial,
        requestKey: `${id}:${allowPartial}`,
      });
    await expect(cancel(false)).rejects.toMatchObject({ code: 'balance_too_small' });
    expect(await cancel(true)).toMatchObject({ reversed: 30_00 });
    expect([await partsOf(member.id), await partsOf(owner.id)]).toEqual([
      { own: 40_00, party: 0 },
      { own: 980_00, party: 0 },
    ]);
  });

  test('the books have both accounts', async () => {
    expect(await checkLedger(server.db, ledgerRules)).toEqual([]);
  });
});
