import type { ActionRequest } from '@fpay/contract/admin/operation-actions';
import { kopecks, wattHours } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PaidBy, staffActions } from '../testing/staff-actions.ts';
import { openStaffActions } from '../testing/staff-subjects.ts';

/** What staff give away at charges and payments, against a limit of 2.00 UAH. The charges of the fixture have a total of 1.50. */
let parts: Awaited<ReturnType<typeof openStaffActions>>;
beforeAll(async () => {
  parts = await openStaffActions({ staffLimit: 2_00 });
});
afterAll(() => parts.close());
let people = 0;
async function addStaff(role: Role): Promise<number> {
  people += 1;
  const phone = `+38099${String(people).padStart(7, '0')}`;
  return parts.steps.run((step) =>
    parts.features.accounts.users.add(step, { name: role, phone, passwordHash: null as never, role }),
  );
}
let staff = 0;
let second = { id: 0, role: 'Operator' as Role };
beforeEach(async () => {
  staff = await addStaff('Operator');
  second = { id: await addStaff('Operator'), role: 'Operator' };
});

const given = async () => {
  const rows = parts.db.selectFrom('staff_money_out').select(['way', 'amount', 'approval_id']);
  return rows.where('staff_id', '=', staff).orderBy('id').execute();
};
const waiting = async () => {
  const rows = parts.db.selectFrom('staff_approvals').select(['id', 'kind', 'worth', 'outcome']);
  return rows.where('requested_by', '=', staff).orderBy('id').execute();
};
async function run(name: string, status: Parameters<typeof parts.subjectIn>[0], paidBy: PaidBy) {
  const subject = { ...(await parts.subjectIn(status, paidBy)), staff };
  await staffActions[name]?.(parts, subject);
  return subject;
}

describe('what an action gives away', () => {
  test.each([
    ['force energy of 60 Wh with update_total', 'finished', 'card', 'energy', 60],
    ['force energy of 60 Wh with update_total', 'finished', 'balance', 'energy', 60],
    ['cancel payment', 'finished', 'card', 'refund', 150],
    ['cancel payment in part', 'finished', 'card', 'refund', 50],
    ['finalize below the total', 'pending_final_payment', 'card', 'capture', 50],
    ['cancel hold', 'pending_final_payment', 'card', 'hold', 150],
    ['force status canceled', 'ongoing', 'balance', 'end', 150],
    ['force status failed', 'pending_final_payment', 'card', 'end', 150],
  ] as const)(
    '%s of a charge that is %s, paid by %s, counts as %s [ADM-OP-31]',
    async (name, status, paidBy, way, most) => {
      await run(name, status, paidBy);
      const rows = await given();
      expect(rows).toMatchObject([{ way, approval_id: null }]);
      expect(rows[0]?.amount).toBeGreaterThan(0);
      expect(rows[0]?.amount).toBeLessThanOrEqual(most === 60 ? 150 : most);
    },
  );

  test.each([
    ['soft stop', 'ongoing', 'card'],
    ['finish', 'ongoing', 'balance'],
    ['force status finished', 'ongoing', 'card'],
    ['finalize with the total', 'pending_final_payment', 'card'],
    ['soft cancel', 'starting', 'card'],
    ['force energy of 200 Wh with update_total', 'finished', 'card'],
  ] as const)('%s of a charge that is %s, paid by %s, counts nothing', async (name, status, paidBy) => {
    await run(name, status, paidBy);
    expect(await given()).toEqual([]);
  });

  test('a charge that is forced to go on without being paid counts its deposit, and waits [ADM-OP-31]', async () => {
    const subject = await run('force status ongoing', 'created', 'card');
    expect(await waiting()).toMatchObject([{ kind: 'operation-action', outcome: null }]);
    expect((await parts.features.charging.operations.find(subject.operation))?.status).toBe('created');
  });

  test('an unpaid payment that is forced to success counts its sum, and waits [ADM-OP-31]', async () => {
    await run('force hold status success', 'created', 'card');
    expect(await waiting()).toMatchObject([{ kind: 'payment-action', outcome: null }]);
    expect(await given()).toEqual([]);
  });
});

describe('above the limit', () => {
  test('different ways out add up, and what waits happens when a second one approves it [ADM-OP-31]', async () => {
    await run('cancel payment', 'finished', 'card');
    const subject = { ...(await parts.subjectIn('finished', 'card')), staff };
    const order: ActionRequest<'cancel_payment'> = { action: 'cancel_payment', amount: kopecks(1_00) };
    const { staffActions: payments } = parts.features.payments;
    expect((await payments.preview(subject.payment, order, staff)).needs_approval).toBe(true);
    const { approval_id: id } = await payments.act(subject, order);
    expect(id).toEqual(expect.any(Number));
    expect((await payments.act(subject, order)).approval_id).toBe(id);
    expect((await payments.info(subject.payment)).return_amount).toBe(null);
    await parts.features.approvals.approve(Number(id), second);
    expect((await payments.info(subject.payment)).return_amount).toBe(1_00);
    expect(await given()).toMatchObject([
      { amount: 1_50, approval_id: null },
      { amount: 1_00, approval_id: id },
    ]);
  });

  test('an energy correction waits, is decided in the state of that moment, and ends with its reason [ADM-OP-31]', async () => {
    await run('cancel payment', 'finished', 'card');
    const subject = { ...(await parts.subjectIn('finished', 'balance')), staff };
    const order = { action: 'force_energy', energy: wattHours(0), update_total: true } as const;
    const { approval } = await parts.features.charging.staff.act(subject, order);
    expect(await waiting()).toMatchObject([{ id: approval, worth: 1_50, outcome: null }]);
    await parts.features.charging.staff.act(
      { ...subject, staff: second.id, requestKey: `${subject.requestKey}:canceled` },
      { action: 'force_status', status: 'canceled' },
    );
    const refused = parts.features.approvals.approve(Number(approval), {
      id: await addStaff('Operator'),
      role: 'Operator',
    });
    await expect(refused).rejects.toMatchObject({ code: 'action_not_applicable' });
    expect(await waiting()).toMatchObject([{ outcome: 'ended' }]);
    expect((await given()).length).toBe(1);
  });

  test('who may not make the action may not approve it [ADM-OP-31]', async () => {
    await run('cancel payment', 'finished', 'card');
    const subject = { ...(await parts.subjectIn('finished', 'card')), staff };
    const { approval_id: id } = await parts.features.payments.staffActions.act(subject, { action: 'cancel_payment' });
    const { approve } = parts.features.approvals;
    await expect(approve(Number(id), { ...second, role: 'Support' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(approve(Number(id), { id: staff, role: 'Operator' })).rejects.toMatchObject({ code: 'own_request' });
  });
});
