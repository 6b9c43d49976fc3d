import { kopecks } from '@fpay/contract/money';
import fc from 'fast-check';
import fastify from 'fastify';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Refusal } from '../../platform/refusal.ts';
import { freeTestPort } from '../../testing/server.ts';
import { network } from '../../wallet/transfer.ts';
import { monobank } from '../monobank/terms.ts';
import { type MoneyFixture, startMoney } from '../testing/money.ts';
import { webhookRoute } from './webhook.ts';

let money: MoneyFixture;
const app = fastify();
/** Every notification that the bank has sent, so that it can be sent again at any time. */
const notifications: { body: string; signature: string }[] = [];
const answers: number[] = [];

beforeAll(async () => {
  const port = await freeTestPort();
  money = await startMoney({ siteUrl: new URL(`http://127.0.0.1:${port}`) });
  app.addHook('preHandler', async ({ body, headers }) => {
    notifications.push({ body: String(body), signature: String(headers['x-sign']) });
  });
  app.addHook('onResponse', async (_request, reply) => void answers.push(reply.statusCode));
  const { log, payments } = money;
  const { banks, store, service, savedCardPayment } = payments;
  webhookRoute(app, { banks, payments: store, service, savedCardPayment, registry: new Registry(), log });
  await app.listen({ host: '127.0.0.1', port });
});
afterAll(async () => {
  await app.close();
  await money.close();
});

/** What users, staff, the bank and time can do, each with two numbers that choose the payment and the amount. */
const actions = [
  'openHold',
  'openBalance',
  'pay',
  'payLate',
  'decline',
  'expire',
  'look',
  'capture',
  'release',
  'lower',
  'refund',
  'topUp',
  'gift',
  'give',
  'take',
  'reverse',
  'chargeback',
  'bankCapture',
  'bankRefund',
  'holdVanishes',
  'bankFails',
  'bankHeals',
  'webhooksDuplicate',
  'webhooksReordered',
  'webhookAgain',
  'due',
  'time',
] as const;
type Action = (typeof actions)[number];

interface World {
  users: { id: number; phone: string }[];
  staff: number;
}

async function play(stack: World, action: Action, who: number, much: number): Promise<unknown> {
  const user = stack.users[who % stack.users.length] ?? stack.users[0];
  const other = stack.users[(who + 1) % stack.users.length] ?? stack.users[0];
  if (!user || !other) return;
  const userIds = stack.users.map(({ id }) => id);
  const payments = await money.db
    .selectFrom('payments')
    .selectAll()
    .where('user_id', 'in', userIds)
    .orderBy('id')
    .execute();
  const payment = payments[who % Math.max(payments.length, 1)];
  const amount = 1_00 + (much % 200) * 100;

  switch (action) {
    case 'openHold':
      return money.openHold(user.id, amount);
    case 'openBalance': {
      const operation = await money.addOperation(user.id, { deposit: amount });
      const deposit = kopecks(amount);
      const hold = { operation, user: user.id, method: 'bonuses', deposit, description: 'Charging' } as const;
      return money.steps.run((step) => money.payments.service.openHold(step, hold));
    }
    case 'topUp':
      return money.topUp(user.id, 10_00 + amount);
    case 'give':
      return money.give(user.id, amount);
    case 'take':
      return money.staffMoney.decrease({
        staff: stack.staff,
        user: user.id,
        amount: kopecks(amount),
        requestKey: `${Math.random()}`,
      });
    case 'gift':
      return money.gifts.give({
        sender: user.id,
        to: other.phone,
        amount: kopecks(amount),
        requestKey: `${Math.random()}`,
      });
    case 'reverse': {
      const transfers = await money.wallet.transactions(user.id, { limit: 20 });
      const transaction = transfers[much % Math.max(transfers.length, 1)]?.id;
      if (!transaction) return;
      const cancelPayment = much % 2 === 0;
      return money.staffMoney.cancelTransaction({
        staff: stack.staff,
        transaction,
        cancelPayment,
        allowPartial: !cancelPayment,
        requestKey: `${Math.random()}`,
      });
    }
    case 'due':
      return money.runDue();
    case 'time':
      return money.pass(1_000 * (1 + (much % 120)));
    case 'webhooksDuplicate':
    case 'webhooksReordered':
      return money.switchBank({ [action]: much % 2 === 0 });
    case 'webhookAgain': {
      const again = notifications[much % Math.max(notifications.length, 1)];
      if (!again) return;
      const headers = { 'content-type': 'application/json', 'x-sign': again.signature };
      return app.inject({ method: 'POST', url: monobank.notificationPath, payload: again.body, headers });
    }
    case 'bankHeals':
      return money.switchBank({ finalize: null, cancel: null, status: null, create: null });
    case 'bankFails': {
      const call = (['finalize', 'cancel', 'status', 'create'] as const)[who % 4] ?? 'status';
      return money.switchBank({ [call]: much % 2 === 0 ? 'error500 x2' : 'error500-done x2' });
    }
  }
  if (!payment) return;
  switch (action) {
    case 'pay':
      return payment.invoice_id && money.atBank(payment.invoice_id, 'pay');
    case 'payLate':
      return payment.invoice_id && money.atBank(payment.invoice_id, 'pay', { late: true });
    case 'decline':
    case 'expire':
    case 'chargeback':
      return payment.invoice_id && money.atBank(payment.invoice_id, action);
    case 'bankCapture':
      return payment.invoice_id && money.bank.finalize(payment.invoice_id, kopecks(1 + (much % payment.amount)), null);
    case 'bankRefund': {
      const refund = {
        amount: kopecks(1 + (much % payment.amount)),
        ref: `cabinet-${Math.random()}`,
        fiscalItem: null,
      };
      return payment.invoice_id && money.bank.refund(payment.invoice_id, refund);
    }
    case 'holdVanishes':
      return payment.invoice_id && payment.status === 'hold' && money.bank.cancel(payment.invoice_id);
    case 'look':
      return money.payments.service.lookNow(payment.id);
    case 'capture':
      return (
        payment.purpose === 'operation' &&
        payment.status === 'hold' &&
        money.capture(payment.id, much % (payment.amount + 1))
      );
    case 'lower':
      return (
        payment.purpose === 'operation' &&
        payment.status === 'success' &&
        money.capture(payment.id, much % (payment.amount + 1))
      );
    case 'release':
      return payment.purpose === 'operation' && money.release(payment.id);
    case 'refund':
      return money.payments.staffActions.act(
        { staff: stack.staff, payment: payment.id, requestKey: `${Math.random()}` },
        { action: 'cancel_payment', amount: kopecks(1 + (much % payment.amount)) },
      );
  }
}

/** A refusal of ours or of the bank's page is an answer; anything else that is thrown is a bug. */
function isAnswer(error: unknown): boolean {
  return error instanceof Refusal || /the bank's page answered 4\d\d/.test(String(error));
}

/** Starts with one payment of each kind, so that the actions that follow find payments in every state. */
async function openPayments(users: World['users']): Promise<void> {
  for (const [index, { id }] of users.entries()) {
    const held = await money.paidHold(id, 90_00);
    if (index === 0) await money.capture(held.id, 70_00);
    const topUp = await money.topUp(id, 40_00);
    await money.atBank(topUp.invoice, 'pay');
    if (index > 0) await money.payments.service.lookNow(topUp.id);
    await money.openHold(id, 60_00);
  }
  await money.runDue();
}

/** The bank works and time has passed, so everything in progress has ended. */
async function settleDown(): Promise<void> {
  await play({ users: [{ id: 0, phone: '' }], staff: 0 }, 'bankHeals', 0, 0);
  await money.pass(26 * 60 * 60_000);
  // The nightly comparison finds what was not reported, such as a payment that its owner took back.
  for (const days of [2, 1, 0])
    await money.payments.reconcile(new Date(money.clock.now().getTime() - days * 24 * 60 * 60_000));
  await money.pass(60 * 60_000);
}

test('any interleaving of holds, captures, refunds, gifts, top-ups, reversals, bank failures, repeated and reordered webhooks keeps the books right', async () => {
  const action = fc.record({ action: fc.constantFrom(...actions), who: fc.nat(50), much: fc.nat(30_000) });
  const burst = fc.array(action, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(burst, { minLength: 5, maxLength: 14 }), async (bursts) => {
      const users = [await money.addUser(), await money.addUser(), await money.addUser()];
      const stack = { users, staff: (await money.addUser('Admin')).id };
      for (const { id } of users) await money.give(id, 300_00);
      await openPayments(users);
      for (const together of bursts) {
        const outcomes = await Promise.allSettled(
          together.map(({ action: what, who, much }) => play(stack, what, who, much)),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected' && !isAnswer(outcome.reason)) throw outcome.reason;
        }
      }
      await settleDown();

      expect(await money.faults()).toEqual([]);
      const ids = users.map(({ id }) => id);
      const open = await money.db
        .selectFrom('refunds')
        .innerJoin('payments', 'payments.id', 'refunds.payment_id')
        .select('refunds.id')
        .where('payments.user_id', 'in', ids)
        .where('refunds.status', 'in', ['asked', 'processing'])
        .execute();
      expect(open).toEqual([]);
      const rows = await money.db
        .selectFrom('payments')
        .selectAll()
        .where('user_id', 'in', ids)
        .where('method', '=', 'bank')
        .execute();
      for (const payment of rows) {
        if (payment.invoice_id === null) continue;
        const invoiceStatus = await money.bank.invoiceStatus(payment.invoice_id);
        if (invoiceStatus.kind !== 'done') throw new Error(invoiceStatus.reason);
        // What the bank has kept of the card's money equals our books.
        const kept = invoiceStatus.value.status === 'hold' ? 0 : (invoiceStatus.value.finalAmount ?? 0);
        expect({ payment: payment.id, kept: payment.captured - payment.refunded }).toEqual({
          payment: payment.id,
          kept,
        });
      }
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 6), endOnFailure: true },
  );
  const { rows } = await sql<{ clearing: number; cards: number }>`
    select (select coalesce(sum(case when from_account = ${network.clearing} then amount else -amount end), 0)::bigint from transfers
        where ${network.clearing} in (from_account, to_account) and kind <> 'fee') as clearing,
      (select coalesce(sum(captured - refunded), 0)::bigint from payments where method = 'bank') as cards`.execute(
    money.db,
  );
  expect(rows[0]?.clearing).toBe(rows[0]?.cards);
  // The bank did notify, and its own bytes never count as a forgery, however late they come.
  expect(notifications.length).toBeGreaterThan(20);
  expect(new Set(answers)).toEqual(new Set([200]));
}, 240_000);
