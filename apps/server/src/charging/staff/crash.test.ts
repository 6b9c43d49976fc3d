import { actionRecords } from '@fpay/contract/admin/operation-actions';
import type { OperationStatus } from '@fpay/contract/charging';
import { isAboutMoney } from '@fpay/contract/endpoint';
import { kopecks } from '@fpay/contract/money';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Steps } from '../../platform/step.ts';
import { type PaidBy, staffActions, triedAs } from '../testing/staff-actions.ts';
import { openStaffActions } from '../testing/staff-subjects.ts';

/**
 * The process dies in the middle of an action of staff: before each statement of its transaction, before the commit and
 * after it. What is not committed left no trace, and the same request, sent again, does the rest once.
 */
let parts: Awaited<ReturnType<typeof openStaffActions>>;
beforeAll(async () => {
  parts = await openStaffActions({ staffLimit: 5_000_00 });
});
afterAll(() => parts.close());

class Crash extends Error {}

/** Steps that die before the given statement, counted over all steps of the action; the commit counts as one. */
function crashingSteps(steps: Steps, at: number) {
  let count = 0;
  const pass = () => {
    count += 1;
    if (count === at) throw new Crash();
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      pass();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const crashing: Steps = {
    ...steps,
    run: (work) =>
      steps.run(async (step) => {
        const result = await work({ ...step, db: step.db.withPlugin(plugin) as typeof step.db });
        pass();
        return result;
      }),
  };
  return crashing;
}

/** How often an action may be killed before it succeeds; no action has so many statements. */
const mostStatements = 120;

const cases: { action: string; status: OperationStatus; paidBy: PaidBy }[] = [
  { action: 'soft start', status: 'pending', paidBy: 'balance' },
  { action: 'soft stop', status: 'ongoing', paidBy: 'balance' },
  { action: 'soft cancel', status: 'starting', paidBy: 'balance' },
  { action: 'finish', status: 'ongoing', paidBy: 'balance' },
  { action: 'finish', status: 'ongoing', paidBy: 'card' },
  { action: 'force status canceled', status: 'ongoing', paidBy: 'balance' },
  { action: 'force status finished', status: 'ongoing', paidBy: 'balance' },
  { action: 'force status failed', status: 'starting', paidBy: 'card' },
  { action: 'force status ongoing', status: 'starting', paidBy: 'balance' },
  { action: 'force energy of 60 Wh with update_total', status: 'finished', paidBy: 'balance' },
  { action: 'force hold status reversed', status: 'finished', paidBy: 'card' },
  { action: 'cancel hold', status: 'pending_final_payment', paidBy: 'card' },
  { action: 'finalize below the total', status: 'pending_final_payment', paidBy: 'card' },
  { action: 'cancel payment', status: 'finished', paidBy: 'card' },
  { action: 'cancel transaction with return', status: 'finished', paidBy: 'balance' },
  { action: 'cancel transaction with partial return', status: 'finished', paidBy: 'balance' },
];

test('every action that moves money has a case', () => {
  const killed = new Set(cases.map(({ action }) => action));
  const missing = actionRecords
    .filter(({ name, endpoint }) => isAboutMoney(endpoint.money) && !triedAs(name).some((one) => killed.has(one)))
    .map(({ name }) => name);
  expect(missing).toEqual([]);
});

describe('a crash at each statement leaves nothing half done, and the repeated request is done once', () => {
  test.each(cases)('$action of a charge that is $status, paid by $paidBy', async ({ action, status, paidBy }) => {
    const act = staffActions[action];
    const subject = await parts.subjectIn(status, paidBy);
    const before = await parts.stateOf(subject);
    let crashes = 0;
    for (let at = 1; ; at += 1) {
      expect(at).toBeLessThan(mostStatements);
      try {
        await parts.withSteps(crashingSteps(parts.steps, at), async () => act?.(parts, subject));
        break;
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        crashes += 1;
        expect([at, await parts.stateOf(subject)]).toEqual([at, before]);
      }
    }
    expect(crashes).toBeGreaterThan(3);
    const after = await parts.stateOf(subject);
    expect(after).not.toEqual(before);
    // The answer was lost after the commit: the client sends the same request again.
    if (action !== 'soft stop') await act?.(parts, subject);
    expect(await parts.stateOf(subject)).toEqual(after);
    // A status that staff forced by hand is listed by the check, which is its purpose.
    if (action !== 'force hold status reversed') expect(await parts.faults()).toEqual([]);
  });

  test('money given, taken, and approved by a second staff member', async () => {
    const { user, requestKey } = await parts.subjectIn('created', 'balance');
    const { staffMoney } = parts.features.wallet;
    const money = { staff: parts.staff, user, amount: kopecks(20_00), requestKey };
    const large = { ...money, amount: kopecks(9_000_00), requestKey: `${requestKey}:large` };
    const orders = [
      () => staffMoney.give({ ...money, requestKey: `${requestKey}:give` }),
      () => staffMoney.take({ ...money, requestKey: `${requestKey}:take` }),
      () => staffMoney.give(large),
    ];
    const balances: number[] = [];
    for (const order of orders) {
      const before = await parts.features.wallet.service.balanceOf(user);
      for (let at = 1; ; at += 1) {
        try {
          await parts.withSteps(crashingSteps(parts.steps, at), order);
          break;
        } catch (error) {
          if (!(error instanceof Crash)) throw error;
          expect(await parts.features.wallet.service.balanceOf(user)).toBe(before);
        }
      }
      await order();
      balances.push((await parts.features.wallet.service.balanceOf(user)) - before);
    }
    expect(balances).toEqual([20_00, -20_00, 0]);
    const waiting = await parts.db
      .selectFrom('staff_approvals')
      .select('id')
      .where('recipient_id', '=', user)
      .execute();
    expect(waiting).toHaveLength(1);
    expect((await parts.faults()).filter(({ rule }) => rule !== 'overridden')).toEqual([]);
  });
});
