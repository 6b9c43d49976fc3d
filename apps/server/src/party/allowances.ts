import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { PartyAllowance } from '@fpay/contract/party';
import type { Clock } from '../platform/clock.ts';
import type { DueKind } from '../platform/jobs/due-work.ts';
import type { Step } from '../platform/step.ts';
import { nextMonthlyDay } from './period.ts';
import type { PartyAccounts, PartyMoney } from './ports.ts';

interface Dependencies {
  clock: Clock;
  money: Pick<PartyMoney, 'topUpTo'>;
  accounts: Pick<PartyAccounts, 'noteStoppedAllowance'>;
}

/** An allowance is about a working life in Ukraine, so its day begins there, wherever the owner was when it was set. */
const zone = 'Europe/Kyiv';

/** Monthly allowances: on a day of every month the owner's wallet tops a member's balance up to an amount. */
export function createAllowances({ clock, money, accounts }: Dependencies) {
  /** Of a member who is no longer in the party there is no row: it goes with the membership. */
  async function act(step: Step, id: number): Promise<void> {
    const row = await step.db
      .selectFrom('party_allowances as l')
      .innerJoin('party_members as m', 'm.user_id', 'l.user_id')
      .innerJoin('parties as p', 'p.id', 'm.party_id')
      .select(['l.user_id', 'l.amount', 'l.day', 'p.owner_id'])
      .where('l.id', '=', id)
      .executeTakeFirst();
    if (!row) return;
    const now = clock.now();
    const given = await money.topUpTo(step, {
      sender: row.owner_id,
      recipient: row.user_id,
      upTo: kopecks(row.amount),
      key: `allowance:${id}:${now.toISOString()}`,
    });
    if (given === null) await accounts.noteStoppedAllowance(step, row.owner_id);
    await step.db
      .updateTable('party_allowances')
      .set({
        next_action_at: given === null ? null : nextMonthlyDay(row.day, zone, now),
        stopped_at: given === null ? now : null,
      })
      .where('id', '=', id)
      .execute();
  }

  return {
    due: { name: 'party-allowance', table: 'party_allowances', act } satisfies DueKind,

    async set(step: Step, user: number, { amount, day }: { amount: Kopecks; day: number }): Promise<PartyAllowance> {
      const now = clock.now();
      const next = { amount, day, stopped_at: null, next_action_at: nextMonthlyDay(day, zone, now) };
      await step.db
        .insertInto('party_allowances')
        .values({ user_id: user, created_at: now, ...next })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...next, due_failures: 0 }))
        .execute();
      return { amount, day, is_stopped: false };
    },

    /** False: there was none. */
    async remove(step: Step, user: number): Promise<boolean> {
      const removed = await step.db.deleteFrom('party_allowances').where('user_id', '=', user).executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

export type Allowances = ReturnType<typeof createAllowances>;
