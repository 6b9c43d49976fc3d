import { getUser, sendConfirmation, signIn } from '@fpay/contract/account';
import { endpoints } from '@fpay/contract/endpoints';
import { kopecks } from '@fpay/contract/money';
import { partyData, resetMemberPassword } from '@fpay/contract/party';
import { downloadData } from '@fpay/contract/profile';
import { giftBalance } from '@fpay/contract/wallet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../account/passwords/passwords.ts';
import { createUnconfirmedSpending, mostUnconfirmed } from '../charging/lifecycle/unconfirmed-spending.ts';
import { type PartyServer, refusalCodeOf, startPartyServer } from './testing/parties.ts';

let server: PartyServer;
beforeAll(async () => {
  server = await startPartyServer();
});
afterAll(() => server.close());

/** A member whose password the owner has just reset, signed in by somebody who knows the new one. */
async function resetMember(isClosed: boolean) {
  const { owner, member, other } = await server.partyOf({ isClosed });
  await server.give(owner.id, 500_00);
  await server.give(member.id, 900_00);
  const { body } = await owner.client.call(resetMemberPassword, { params: { id: String(member.id) } });
  const client = server.client();
  const signedIn = await client.call(signIn, { body: { phone_number: member.phone, password: body.new_password } });
  expect([signedIn.status, signedIn.body.needs_confirmation]).toEqual([200, true]);
  return { owner, member, other, client, password: body.new_password };
}

test('after a reset the owner cannot act as the member: gifts, data and telegram ask for the code [PARTY-23]', async () => {
  const { member, other, client } = await resetMember(true);
  const gift = await client.call(giftBalance, { body: { to: other.phone, amount: kopecks(2_00) } });
  expect([gift.status, refusalCodeOf(gift)]).toEqual([403, 'confirmation_required']);
  const data = await client.call(downloadData, {});
  expect([data.status, refusalCodeOf(data)]).toEqual([403, 'confirmation_required']);
  expect((await client.call(partyData, {})).status).toBe(200);
  expect((await client.call(getUser, {})).body).toMatchObject({ id: member.id, needs_confirmation: true });
  expect(await server.balanceOf(member.id)).toBe(900_00);
});

test('only calls that say so are open before the confirmation [PARTY-23]', () => {
  const open = endpoints
    .filter(({ beforeConfirmation }) => beforeConfirmation)
    .map(({ method, path }) => `${method} ${path}`);
  expect(open.sort()).toEqual([
    'GET /api/negotiate',
    'GET /api/operation/:id',
    'GET /api/operation/:id/curve',
    'GET /api/party/data',
    'GET /api/user',
    'GET /api/user/transactions/active',
    'POST /api/feedback',
    'POST /api/feedback/allow',
    'POST /api/operation/stop/:id',
    'POST /api/operation/unlock/:id',
    'POST /api/operation/withdraw/:id',
    'POST /api/payment/new',
    'POST /api/user/confirmation',
    'POST /api/user/confirmation/code',
    'POST /api/user/language',
  ]);
});

test('before the confirmation a charge takes the party’s money, or 500 UAH where it cannot depend on a code [PARTY-23]', async () => {
  const since = new Date(Date.now() - 60_000);
  const viewer = { id: 0, role: 'User', unconfirmedSince: since } as const;
  const ask = (
    closed: boolean,
    codes: boolean,
    user: number,
    deposit: number,
    method: 'card' | 'balance' = 'balance',
  ) => {
    const spending = createUnconfirmedSpending(() => ({
      closedPartyOf: async () => (closed ? 1 : null),
      getsCodes: async () => codes,
    }));
    return server.steps.run((step) => spending(step, { ...viewer, id: user }, { method, deposit: kopecks(deposit) }));
  };
  const { member } = await server.partyOf({ isClosed: false });
  expect(await ask(true, true, member.id, 900_00)).toEqual({ partyOnly: true });
  for (const [closed, codes] of [
    [false, true],
    [true, false],
  ] as const) {
    expect(await ask(closed, codes, member.id, mostUnconfirmed)).toEqual({ partyOnly: false });
    await expect(ask(closed, codes, member.id, mostUnconfirmed + 1)).rejects.toMatchObject({
      code: 'confirmation_required',
    });
  }
  await expect(ask(false, true, member.id, 1_00, 'card')).rejects.toMatchObject({ code: 'confirmation_required' });
  const station = await server.station({ number: 'F5501' });
  const operation = await server.charge({ user: member.id, station, at: new Date(), energyWh: 20_000 });
  await server.db.updateTable('operations').set({ payment_type: 'bonuses' }).where('id', '=', operation).execute();
  expect(await ask(false, true, member.id, 200_00)).toEqual({ partyOnly: false });
  await expect(ask(false, true, member.id, 200_01)).rejects.toMatchObject({ code: 'confirmation_required' });
});

test('a deposit of the party’s money alone leaves the own money untouched [PARTY-23]', async () => {
  const { owner, member } = await server.partyOf({ isClosed: true });
  await server.give(owner.id, 100_00);
  await server.give(member.id, 100_00);
  await server.ownerGives(owner.id, member.id, 30_00);
  const reserve = (operation: number, deposit: number) =>
    server.steps.run((step) =>
      server.wallet.reserve(step, { operation, user: member.id, deposit: kopecks(deposit), partyOnly: true }),
    );
  await expect(reserve(9_000_001, 30_01)).rejects.toMatchObject({ code: 'insufficient_balance' });
  await reserve(9_000_002, 30_00);
  expect(await server.partsOf(member.id)).toEqual({ own: 100_00, party: 0 });
});

test('the code opens this session only; a new password of the member ends it for all [PARTY-23]', async () => {
  const { member, client, password } = await resetMember(true);
  const other = await (async () => {
    const second = server.client();
    await second.call(signIn, { body: { phone_number: member.phone, password } });
    return second;
  })();
  expect((await client.call(sendConfirmation, {})).status).not.toBe(403);
  const [session] = await server.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', member.id)
    .orderBy('id')
    .execute();
  await server.db
    .updateTable('sessions')
    .set({ is_password_confirmed: true })
    .where('id', '=', session?.id ?? 0)
    .execute();
  expect((await client.call(downloadData, {})).status).toBe(200);
  expect((await other.call(downloadData, {})).status).toBe(403);
  const hash = await hashPassword('chosen by the member');
  await server.steps.run((step) => server.features.accounts.users.setPassword(step, member.id, hash));
  expect((await other.call(downloadData, {})).status).toBe(200);
});
