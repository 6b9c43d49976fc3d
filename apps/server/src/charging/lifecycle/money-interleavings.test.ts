import { kopecks, wattHours } from '@fpay/contract/money';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyFixture, startMoney } from '../../payments/testing/money.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step } from '../../platform/step.ts';
import { createSettling } from '../moves/settling.ts';
import { createTransitions } from '../moves/transition.ts';
import { createUnbilledEnergy } from '../moves/unbilled-energy.ts';
import { createOperationStore, type StoredOperation } from '../store.ts';
import { createPaymentListener } from './on-payment-changed.ts';

/** Operations and their money without sockets: the charger's messages are calls, the bank is the sandbox's. */
let money: MoneyFixture;
let parts: ReturnType<typeof wire>;
beforeAll(async () => {
  money = await startMoney();
  parts = wire();
});
afterAll(() => money.close());

function wire() {
  const { db, clock, wallet, payments } = money;
  const operations = createOperationStore({ db, clock, events: { operationsChanged: async () => {} } });
  const moves = createTransitions({ operations, publishConnector: async () => {}, clock });
  const unbilledEnergy = createUnbilledEnergy({ operations, wallet, clock });
  const { service } = payments;
  const settling = createSettling({
    operations,
    transitions: moves,
    payments: service,
    reward: async () => {},
    unbilledEnergy,
    clock,
  });
  const dueWork = { wake: () => {} };
  service.onChange(
    createPaymentListener({ operations, transitions: moves, settling, payments: service, dueWork, clock }),
  );
  return { operations, moves, settling, service };
}

const deposit = 100_00;
/** The price is 10 UAH a kWh, so this is the energy of the whole deposit and a little more. */
const mostWh = 11_000;

const actions = [
  'pay',
  'begin',
  'end',
  'lateStop',
  'cancel',
  'failStart',
  'bankCapture',
  'bankRefund',
  'holdVanishes',
  'chargeback',
  'staffFinalize',
  'staffCancelHold',
  'staffRefund',
  'look',
  'due',
  'time',
  'bankFails',
  'bankHeals',
] as const;
type Action = (typeof actions)[number];

interface Charge {
  operation: number;
  payment: number;
  invoice: string;
}

async function openCharge(): Promise<Charge> {
  const user = await money.addUser();
  const held = await money.openHold(user.id, deposit);
  return { operation: held.operation ?? 0, payment: held.id, invoice: held.invoice ?? '' };
}

/** A step of charging: the operation is locked first, as everywhere. */
const inStep = (id: number, work: (step: Step, operation: StoredOperation) => Promise<unknown>) =>
  money.steps.run(async (step) => {
    const operation = await parts.operations.lock(step, id);
    if (operation) await work(step, operation);
  });

async function withdraw(charge: Charge, event: 'withdrawn' | 'startFailed'): Promise<void> {
  await inStep(charge.operation, async (step, operation) => {
    const moved = await parts.moves.move(step, operation, { event, actor: 'test', why: event });
    if (moved) await parts.service.release(step, charge.payment);
  });
}

async function stop(charge: Charge, energyWh: number): Promise<void> {
  const energy = wattHours(energyWh);
  await inStep(charge.operation, (step, operation) =>
    operation.status === 'ongoing'
      ? parts.settling.end(step, operation, { energy, cause: 'car', reason: null })
      : parts.settling.correct(step, operation, energy, energy),
  );
}

async function play(charge: Charge, staff: number, action: Action, much: number): Promise<unknown> {
  const { operation, payment, invoice } = charge;
  const amount = kopecks(1 + (much % deposit));
  const order = { staff, payment, requestKey: `${Math.random()}` };
  switch (action) {
    case 'pay':
      return money.atBank(invoice, 'pay', { late: much % 2 === 0 });
    case 'begin':
      return inStep(operation, async (step, found) => {
        if (found.status !== 'pending') return;
        const sent = await parts.moves.move(step, found, { event: 'startSent', actor: 'test', why: 'sent' });
        if (sent && much % 4 > 0) {
          await parts.moves.move(step, sent, { event: 'powerFlows', actor: 'test', why: 'started' });
        }
      });
    case 'end':
    case 'lateStop': {
      const { status } = await statusOf(charge);
      const mayEnd = action === 'end' ? ['ongoing'] : ['finished', 'pending_final_payment'];
      return mayEnd.includes(status) && stop(charge, much % 5 === 0 ? 0 : much % mostWh);
    }
    case 'cancel':
      return withdraw(charge, 'withdrawn');
    case 'failStart':
      return withdraw(charge, 'startFailed');
    case 'bankCapture':
      return money.bank.finalize(invoice, amount, null);
    case 'bankRefund':
      return money.bank.refund(invoice, { amount, ref: `cabinet-${Math.random()}`, fiscalItem: null });
    case 'holdVanishes':
      return (await money.payment(payment)).captured === 0 && money.bank.cancel(invoice);
    case 'chargeback':
      return money.atBank(invoice, 'chargeback');
    case 'staffFinalize':
      return money.payments.staffActions.act(order, { action: 'finalize', amount: amount });
    case 'staffCancelHold':
      return money.payments.staffActions.act(order, { action: 'cancel_hold' });
    case 'staffRefund':
      return money.payments.staffActions.act(order, { action: 'cancel_payment', amount: amount });
    case 'look':
      return money.payments.service.lookNow(payment);
    case 'due':
      return money.runDue();
    case 'time':
      return money.pass(1_000 * (1 + (much % 120)));
    case 'bankFails': {
      const call = (['finalize', 'cancel', 'status'] as const)[much % 3] ?? 'status';
      return money.switchBank({ [call]: much % 2 === 0 ? 'error500 x2' : 'error500-done x2' });
    }
    case 'bankHeals':
      return money.switchBank({ finalize: null, cancel: null, status: null });
  }
}

const statusOf = ({ operation }: Charge) =>
  money.db.selectFrom('operations').selectAll().where('id', '=', operation).executeTakeFirstOrThrow();

/** Every driver ends the charge, the bank answers, and time passes. */
async function settleDown(charges: Charge[]): Promise<void> {
  await money.switchBank({ finalize: null, cancel: null, status: null });
  for (const charge of charges) {
    await withdraw(charge, 'withdrawn');
    if ((await statusOf(charge)).status === 'ongoing') await stop(charge, 5_000);
  }
  await money.pass(26 * 60 * 60_000);
  for (const { payment } of charges) await money.payments.service.lookNow(payment);
  await money.pass(3 * 60 * 60_000);
}

async function accountsOf(payment: number) {
  const { rows } = await sql<{ revenue: number; losses: number; staff: number }>`
    select coalesce(sum(case when to_account = 2 or to_account in (select id from accounts where kind = 'earned') then amount else 0 end
        - case when from_account = 2 or from_account in (select id from accounts where kind = 'earned') then amount else 0 end), 0)::bigint as revenue,
      coalesce(sum(case when to_account = 5 then amount when from_account = 5 then -amount end), 0)::bigint as losses,
      (select coalesce(sum(amount), 0)::bigint from refunds
        where payment_id = ${payment} and staff_id is not null and status = 'success') as staff
    from transfers where payment_id = ${payment}`.execute(money.db);
  return rows[0] ?? { revenue: 0, losses: 0, staff: 0 };
}

/** A refusal of ours or of the bank's page is an answer; anything else that is thrown is a bug. */
const isAnswer = (error: unknown) => error instanceof Refusal || /the bank's page answered 4\d\d/.test(String(error));

test('whatever the bank and staff do to the money of a charge at any moment, the charge ends settled and the books agree with the bank', async () => {
  const staff = (await money.addUser('Admin')).id;
  const action = fc.record({ action: fc.constantFrom(...actions), which: fc.nat(3), much: fc.nat(30_000) });
  const bursts = fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), { minLength: 6, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(bursts, async (together) => {
      const charges = [await openCharge(), await openCharge(), await openCharge()];
      // Two charges are running, so that most of the following actions affect one.
      for (const charge of charges.slice(0, 2)) {
        for (const first of ['pay', 'look', 'due', 'begin'] as const) await play(charge, staff, first, 1);
      }
      for (const burst of together) {
        const outcomes = await Promise.allSettled(
          burst.map(({ action: what, which, much }) => play(charges[which % 3] as Charge, staff, what, much)),
        );
        for (const outcome of outcomes)
          if (outcome.status === 'rejected' && !isAnswer(outcome.reason)) throw outcome.reason;
      }
      await settleDown(charges);

      expect(await money.faults()).toEqual([]);
      for (const { operation, payment, invoice } of charges) {
        const ended = await statusOf({ operation, payment, invoice });
        const { captured, refunded, lost } = await money.payment(payment);
        const atBank = await money.bank.invoiceStatus(invoice);
        if (atBank.kind !== 'done') throw new Error(atBank.reason);
        const { revenue, losses, staff: byStaff } = await accountsOf(payment);
        expect(['finished', 'canceled', 'failed', 'failed_hold']).toContain(ended.status);
        expect({ operation, kept: captured - refunded, lost: ended.lost }).toEqual({
          operation,
          kept: atBank.value.status === 'hold' ? 0 : (atBank.value.finalAmount ?? 0),
          lost,
        });
        // The revenue is the price of the charge, less what staff refunded; a loss is never booked twice.
        expect(revenue).toBeLessThanOrEqual(ended.total);
        expect(revenue).toBeGreaterThanOrEqual(ended.total - byStaff);
        expect(captured - refunded - losses).toBe(revenue);
      }
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 8), endOnFailure: true },
  );
}, 180_000);
