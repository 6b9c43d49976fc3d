import { kopecks } from '@fpay/contract/money';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../platform/refusal.ts';
import { checkLedger, ledgerRules } from '../wallet/check.ts';
import { colourActions } from '../wallet/testing/colour-actions.ts';
import { type ColourAction, createColourModel } from '../wallet/testing/colour-model.ts';
import { network, type Reserve } from '../wallet/transfer.ts';
import { type PartyServer, startPartyServer } from './testing/parties.ts';

let server: PartyServer;
beforeAll(async () => {
  server = await startPartyServer({ env: { GIFTS_PER_DAY: '100000000' } });
});
afterAll(() => server.close());

const settled = (reserve: Reserve, total: number) => ({ reserve, total });

/** The same calls on the database; false when the product refuses. */
async function createReal() {
  const { id: party, owner, members } = await server.partyOf({ isClosed: true });
  const charges: ReturnType<typeof settled>[] = [];
  let requests = 0;
  const at = (member: number) => members[member] ?? owner;
  const walletOf = async (user: number) => {
    const holder = await server.ledger.holder(user);
    if (!holder) throw new Error(`there is no user ${user}`);
    return holder.wallet;
  };
  const gift = (sender: number, to: string, amount: number) =>
    server.gifts.give({ sender, to, amount: kopecks(amount), requestKey: `${party}:${requests}` });

  async function make(action: ColourAction): Promise<boolean> {
    requests += 1;
    const key = `sequence:${party}:${requests}`;
    switch (action.kind) {
      case 'topUpOwner':
        await server.give(owner.id, action.amount);
        return true;
      case 'topUp':
        await server.give(at(action.member).id, action.amount);
        return true;
      case 'ownerGives':
        await gift(owner.id, at(action.member).phone, action.amount);
        return true;
      case 'givesToOwner':
        await gift(at(action.member).id, owner.phone, action.amount);
        return true;
      case 'gives':
        await gift(at(action.member).id, at(action.to).phone, action.amount);
        return true;
      case 'chargeback': {
        const ends = { from: await walletOf(at(action.member).id), to: network.clearing };
        const back = { key, kind: 'chargeback', ...ends, amount: kopecks(action.amount) } as const;
        await server.steps.run((step) => server.wallet.transfer(step, [back]));
        return true;
      }
      case 'charge': {
        const asked = {
          operation: party * 1_000 + requests,
          user: at(action.member).id,
          deposit: kopecks(action.amount),
        };
        const total = kopecks(Math.min(action.total, action.amount));
        await server.steps.run(async (step) => {
          const reserve = await server.wallet.reserve(step, asked);
          await server.wallet.settle(step, reserve, total);
          charges.push(settled(reserve, total));
        });
        return true;
      }
      case 'correct': {
        const charge = charges[action.charge];
        if (!charge) return false;
        charge.total = await server.steps.run((step) =>
          server.wallet.correct(step, charge.reserve, {
            settled: kopecks(charge.total),
            total: kopecks(Math.min(action.amount, charge.reserve.deposit)),
          }),
        );
        return true;
      }
      case 'reward': {
        const charge = charges[action.charge];
        if (!charge) return false;
        const user = members.find(({ id }) => id === userOf.get(charge.reserve.wallet))?.id ?? 0;
        const reward = { promo: requests, operation: charge.reserve.operation, user, amount: kopecks(action.amount) };
        await server.steps.run((step) => server.wallet.reward(step, reward));
        return true;
      }
      case 'leave':
        await server.party.joining.leave({ id: at(action.member).id, role: 'User' }, { returnsToOwner: true });
        return true;
      case 'join': {
        const viewer = { id: at(action.member).id, role: 'User' } as const;
        await server.party.owner.invite({ id: owner.id, role: 'User' }, at(action.member).phone);
        const [invitation] = await server.party.joining.ownInvitations(viewer);
        await server.party.joining.accept(viewer, invitation?.id ?? 0);
        return true;
      }
    }
  }
  const userOf = new Map<number, number>();
  for (const { id } of members) userOf.set(await walletOf(id), id);

  return {
    members,
    owner,
    act: (action: ColourAction) =>
      make(action).catch((error: unknown) => {
        if (error instanceof Refusal) return false;
        throw error;
      }),
  };
}

test('random sequences on the database end as the rules say, and their history tells the same parts again [PARTY-18]', async () => {
  const history = new pg.Client({ connectionString: server.database.ownerUrl });
  await history.connect();
  let replayed = 0;
  await fc.assert(
    fc.asyncProperty(colourActions({ minLength: 10, maxLength: 25 }), async (actions) => {
      const model = createColourModel(2);
      const real = await createReal();
      const start: ColourAction = { kind: 'topUpOwner', member: 0, amount: 300_00 };
      for (const action of [start, ...actions]) {
        const before = model.partySum();
        const isDone = model.act(action);
        expect([action, await real.act(action)]).toEqual([action, isDone]);
        expect(model.partySum()).toBeGreaterThanOrEqual(before);
        const wallets = [];
        for (const { id } of real.members) wallets.push(await server.partsOf(id));
        const expected = model.wallets.map(({ own, party }) => ({ own, party }));
        expect([action, wallets, await server.balanceOf(real.owner.id)]).toEqual([action, expected, model.owner()]);
      }
      expect(await checkLedger(server.db, ledgerRules)).toEqual([]);
      if (actions.some(({ kind }) => kind === 'leave')) return;
      await tellApartAgain(
        history,
        real.members.map(({ id }) => id),
      );
      replayed += 1;
    }),
    { numRuns: 8, seed: 51, endOnFailure: true },
  );
  await history.end();
  expect(replayed).toBeGreaterThan(1);
}, 120_000);

/** What the migration does for a ledger that never knew of colours, in a transaction that is undone. */
async function tellApartAgain(client: pg.Client, users: readonly number[]): Promise<void> {
  const parts = async () =>
    (
      await client.query(
        `select a.id, a.party_balance from accounts a where a.id in (select wallet_id from users where id = any ($1))
         or a.wallet_id in (select wallet_id from users where id = any ($1)) order by a.id`,
        [users],
      )
    ).rows;
  const before = await parts();
  await client.query('begin');
  try {
    await client.query(`alter table party_parts disable trigger party_parts_are_append_only;
      delete from party_parts; update accounts set party_balance = 0, party_id = null where party_id is not null;
      select colour_party_history()`);
    expect(await parts()).toEqual(before);
  } finally {
    await client.query('rollback');
  }
}
