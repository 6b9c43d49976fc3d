import { kopecks } from '@fpay/contract/money';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { StaffMoney } from './staff.ts';

export type BalanceAction = 'increase' | 'decrease';

interface Dependencies {
  steps: Steps;
  audit: Audit;
  clock: Clock;
}

/** Large sums of staff wait for a second staff member. The row is the request; the money moves in the step that decides it. */
export function createApprovals({ steps, audit, clock }: Dependencies) {
  async function lock(step: Step, id: number) {
    const row = await step.db
      .selectFrom('balance_approvals')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new Refusal('not_found');
    if (row.decided_at !== null) throw new Refusal('action_not_applicable');
    return { ...row, action: row.action as BalanceAction };
  }

  async function decide(step: Step, id: number, staff: number, isApproved: boolean): Promise<void> {
    await step.db
      .updateTable('balance_approvals')
      .set({ decided_by: staff, decided_at: clock.now(), is_approved: isApproved })
      .where('id', '=', id)
      .execute();
    step.publish('staff-list', 'approvals');
  }

  return {
    /** The id of the request; of its first one when the same signed request comes again. */
    async request(step: Step, action: BalanceAction, { staff, user, amount, requestKey }: StaffMoney): Promise<number> {
      const earlier = await step.db
        .selectFrom('balance_approvals')
        .select('id')
        .where('request_key', '=', requestKey)
        .executeTakeFirst();
      if (earlier) return earlier.id;
      const { id } = await step.db
        .insertInto('balance_approvals')
        .values({
          action,
          user_id: user,
          amount,
          requested_by: staff,
          request_key: requestKey,
          created_at: clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      step.publish('staff-list', 'approvals');
      const subject = { kind: 'user', id: user } as const;
      await audit(step, { staff, action: `balance.request-${action}`, subject, after: { amount, approval: id } });
      return id;
    },

    /** The request that this staff member may approve, locked, and marked as approved in this step. */
    async take(step: Step, id: number, staff: number) {
      const row = await lock(step, id);
      if (row.requested_by === staff) throw new Refusal('own_request');
      await decide(step, id, staff, true);
      return { action: row.action, user: row.user_id, amount: kopecks(row.amount), requestedBy: row.requested_by };
    },

    decline: (id: number, staff: number): Promise<void> =>
      steps.run(async (step) => {
        const row = await lock(step, id);
        await decide(step, id, staff, false);
        const subject = { kind: 'user', id: row.user_id } as const;
        const after = { amount: row.amount, approval: id };
        await audit(step, { staff, action: `balance.decline-${row.action}`, subject, after });
      }),
  };
}

export type Approvals = ReturnType<typeof createApprovals>;
