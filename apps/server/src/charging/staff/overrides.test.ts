import { randomUUID } from 'node:crypto';
import type { OperationStatus } from '@fpay/contract/charging';
import { wattHours } from '@fpay/contract/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PaidBy, type StaffSubject, staffActions } from '../testing/staff-actions.ts';
import { openStaffActions } from '../testing/staff-subjects.ts';

/** A state that staff forced and the fact that comes after it: no money stays behind that cannot be reached. */
let subjects: Awaited<ReturnType<typeof openStaffActions>>;
beforeAll(async () => {
  subjects = await openStaffActions();
});
afterAll(() => subjects.close());

const total = 1_50;
const deposited = 1000_00;

async function act(name: string, subject: StaffSubject): Promise<void> {
  await staffActions[name]?.(subjects, { ...subject, requestKey: randomUUID() });
  await subjects.settleAtBank(subject.user);
}

/** StopTransaction of the device, with the energy that the charge has had. */
async function stopped({ operation, transaction, user, chargePoint }: StaffSubject): Promise<void> {
  const now = subjects.clock.now();
  const row = await subjects.db
    .selectFrom('operations')
    .select('connector_id')
    .where('id', '=', operation)
    .executeTakeFirstOrThrow();
  await subjects.steps.run((step) =>
    subjects.features.charging.hooks.transactionEnded(step, {
      ocppTransactionId: transaction,
      chargePointId: chargePoint,
      connectorId: row.connector_id,
      operationId: operation,
      idTag: null,
      reason: 'Local',
      energyWh: wattHours(100),
      startedAt: now,
      stoppedAt: now,
      receivedAt: now,
      billedAt: now,
      isFromLastReading: false,
      isCorrection: false,
    } as never),
  );
  await subjects.settleAtBank(user);
}

const isClean = async () => expect(await subjects.faults()).toEqual([]);

test.each([
  ['created', 'card'],
  ['pending', 'card'],
  ['starting', 'card'],
  ['created', 'balance'],
  ['pending', 'balance'],
  ['starting', 'balance'],
] as [OperationStatus, PaidBy][])(
  'a charge that is forced to %s, paid by %s, is settled by its StopTransaction [MACH-16]',
  async (status, paidBy) => {
    const subject = await subjects.subjectIn('ongoing', paidBy);
    await act(`force status ${status}`, subject);
    await stopped(subject);
    expect(await subjects.stateOf(subject)).toMatchObject({ status: 'finished', total, lost: 0, captured: total });
    await isClean();
  },
);

test.each(['card', 'balance'] as const)(
  'a hold by %s that is forced to reversed is settled at the end of the charge, because it is still there [MACH-16]',
  async (paidBy) => {
    const subject = await subjects.subjectIn('ongoing', paidBy);
    await act('force hold status reversed', subject);
    expect(await subjects.stateOf(subject)).toMatchObject({ status: 'ongoing', payment: 'reversed', captured: 0 });
    await stopped(subject);
    expect(await subjects.stateOf(subject)).toMatchObject({
      status: 'finished',
      payment: 'success',
      total,
      lost: 0,
      captured: total,
    });
    await isClean();
  },
);

test('a hold that is forced to reversed can be released by staff [ADM-OP-14]', async () => {
  for (const status of ['ongoing', 'pending_final_payment'] as const) {
    const subject = await subjects.subjectIn(status, 'card');
    await act('force hold status reversed', subject);
    await act('cancel hold', subject);
    const { payment, invoice_id: invoice } = await bankSide(subject);
    expect([payment, invoice.status]).toEqual(['reversed', 'reversed']);
    await isClean();
  }
});

test('a charge from the balance whose hold was canceled books its loss, and has no debt', async () => {
  const subject = await subjects.subjectIn('ongoing', 'balance');
  await act('cancel hold', subject);
  await stopped(subject);
  const state = await subjects.stateOf(subject);
  expect(state).toMatchObject({ status: 'finished', total, lost: total, payment_lost: total, balance: deposited });
  expect(state.transfers.at(-1)).toEqual(['lost', total]);
  await isClean();
});

test.each([
  ['canceled', 'card'],
  ['failed', 'card'],
  ['failed_hold', 'card'],
  ['canceled', 'balance'],
  ['failed', 'balance'],
] as const)('a finished charge that is forced to %s, paid by %s, is refunded [MACH-16]', async (status, paidBy) => {
  const subject = await subjects.subjectIn('finished', paidBy);
  const effect = await subjects.features.charging.staff.preview(subject.operation, { action: 'force_status', status });
  expect(effect.money).toEqual([{ kind: paidBy === 'card' ? 'refund' : 'return', amount: total }]);
  await act(`force status ${status}`, subject);
  const state = await subjects.stateOf(subject);
  expect((state.captured ?? 0) - (state.refunded ?? 0)).toBe(0);
  expect(state).toMatchObject({ status, balance: deposited });
  await isClean();
  // Forced to be finished again, nothing is left that pays for it.
  await act('force status finished', subject);
  expect(await subjects.stateOf(subject)).toMatchObject({
    status: 'finished',
    balance: deposited - (paidBy === 'card' ? 0 : total),
  });
  await isClean();
});

test('a page that is not paid is withdrawn when staff force the status of its payment', async () => {
  const subject = await subjects.subjectIn('created', 'card');
  await act('force hold status success', subject);
  const { invoice_id: invoice } = await bankSide(subject);
  expect(invoice.status).toBe('expired');
});

async function bankSide({ payment }: StaffSubject) {
  const row = await subjects.db
    .selectFrom('payments')
    .select(['status', 'invoice_id'])
    .where('id', '=', payment)
    .executeTakeFirstOrThrow();
  const answer = await subjects.features.payments.banks.current.invoiceStatus(row.invoice_id ?? '');
  return { payment: row.status, invoice_id: answer.kind === 'done' ? answer.value : { status: answer.kind } };
}
