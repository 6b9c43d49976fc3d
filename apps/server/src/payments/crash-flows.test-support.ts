import { kopecks } from '@fpay/contract/money';
import type { Bank } from './bank.ts';
import type { Money } from './money.test-support.ts';
import type { Payment } from './store.ts';

type Parts = Pick<Money, 'steps' | 'payments' | 'gifts' | 'staffMoney' | 'wallet' | 'atBank' | 'runDue'>;

/** What a flow works on: made before it starts, so that it can be told twice. */
export interface Ground {
  user: number;
  staff: number;
  other: string;
  operation: number;
  key: string;
}

/**
 * The money flows as those who drive them would: each call may be repeated after a crash, under the same key or on the same
 * operation, and the repeat must find what is done. `ends` is what must be true once everything has come to rest.
 */
export const flows = {
  'card hold, captured, then lowered': {
    method: 'bank',
    async run(parts: Parts, { user, operation }: Ground) {
      const payment = await heldOnCard(parts, user, operation);
      if (payment?.state === 'hold') {
        await parts.steps.run((step) => parts.payments.service.capture(step, payment.id, kopecks(80_00)));
        await parts.runDue();
      }
      if (!payment) return;
      if ((await parts.payments.service.find(payment.id))?.state !== 'success') return;
      await parts.steps.run((step) => parts.payments.service.capture(step, payment.id, kopecks(60_00)));
      await parts.runDue();
    },
    ends: { payment: { state: 'success', captured: 80_00, refunded: 20_00, lost: 0 }, balance: 300_00 },
  },
  'card hold, released': {
    method: 'bank',
    async run(parts: Parts, { user, operation }: Ground) {
      const payment = await heldOnCard(parts, user, operation);
      if (!payment) return;
      await parts.steps.run((step) => parts.payments.service.release(step, payment.id));
      await parts.runDue();
    },
    ends: { payment: { state: 'reversed', captured: 0, refunded: 0, lost: 0 }, balance: 300_00 },
  },
  'balance deposit, settled': {
    method: 'bonuses',
    async run({ steps, payments }: Parts, { user, operation }: Ground) {
      const deposit = kopecks(100_00);
      const hold = { operation, user, method: 'bonuses', deposit, description: 'Charging' } as const;
      const payment =
        (await payments.service.ofOperation(operation)) ??
        (await steps.run((step) => payments.service.openHold(step, hold)));
      await steps.run((step) => payments.service.capture(step, payment.id, kopecks(65_00)));
    },
    ends: { payment: { state: 'success', captured: 65_00, refunded: 0, lost: 0 }, balance: 235_00 },
  },
  'top-up': {
    method: 'top_up',
    async run(parts: Parts, { user, key }: Ground) {
      await parts.payments.topUps.buy({ user, amount: kopecks(50_00), redirectTo: '/balance', requestKey: key });
      const payment = await parts.payments.store.byRequest(key);
      if (payment) await payAtBank(parts, payment);
    },
    ends: { payment: { state: 'success', captured: 50_00, refunded: 0, lost: 0 }, balance: 350_00 },
  },
  gift: {
    method: 'gift',
    async run({ gifts }: Parts, { user, other, key }: Ground) {
      await gifts.give({ sender: user, to: other, amount: kopecks(10_00), requestKey: key });
    },
    ends: { payment: null, balance: 290_00 },
  },
  'staff give, take, and undo the taking': {
    method: 'admin',
    async run({ staffMoney, wallet }: Parts, { user, staff, key }: Ground) {
      await staffMoney.increase({ staff, user, amount: kopecks(20_00), requestKey: `${key}:give` });
      await staffMoney.decrease({ staff, user, amount: kopecks(5_00), requestKey: `${key}:take` });
      const taken = (await wallet.transactions(user, {})).find(({ amount }) => amount === -5_00);
      if (!taken) throw new Error('nothing was taken');
      const undo = { staff, transaction: taken.id, cancelPayment: false, allowPartial: false };
      const { reversed } = await staffMoney.cancelTransaction({ ...undo, requestKey: `${key}:undo` });
      if (reversed !== 5_00) throw new Error(`the repeated request was told another sum: ${reversed}`);
    },
    ends: { payment: null, balance: 320_00 },
  },
  'hold canceled by staff': {
    method: 'bank',
    async run(parts: Parts, { user, staff, operation, key }: Ground) {
      const payment = await heldOnCard(parts, user, operation);
      if (!payment || payment.state === 'created') return;
      await parts.payments.desk.cancelHold({ staff, payment: payment.id, requestKey: key });
      await parts.runDue();
    },
    ends: { payment: { state: 'reversed', captured: 0, refunded: 0, lost: 0 }, balance: 300_00 },
  },
  'card payment refunded in part by staff': {
    method: 'bank',
    async run(parts: Parts, { user, staff, operation, key }: Ground) {
      const payment = await heldOnCard(parts, user, operation);
      if (payment?.state === 'hold') {
        await parts.steps.run((step) => parts.payments.service.capture(step, payment.id, kopecks(80_00)));
        await parts.runDue();
      }
      if (!payment) return;
      if ((await parts.payments.service.find(payment.id))?.state !== 'success') return;
      const order = { staff, payment: payment.id, requestKey: key };
      await parts.payments.desk.cancelPayment(order, kopecks(30_00));
      await parts.runDue();
    },
    ends: { payment: { state: 'success', captured: 80_00, refunded: 30_00, lost: 0 }, balance: 300_00 },
  },
  'top-up returned to its card by staff': {
    method: 'top_up',
    async run(parts: Parts, ground: Ground) {
      const { user, staff, key } = ground;
      await flows['top-up'].run(parts, ground);
      const deposit = (await parts.wallet.transactions(user, {})).find(({ amount }) => amount === 50_00);
      if (!deposit) return;
      const undo = { staff, transaction: deposit.id, cancelPayment: true, allowPartial: false };
      await parts.staffMoney.cancelTransaction({ ...undo, requestKey: `${key}:undo` });
      await parts.runDue();
    },
    ends: { payment: { state: 'reversed', captured: 50_00, refunded: 50_00, lost: 0 }, balance: 300_00 },
  },
} as const;
export type FlowName = keyof typeof flows;

async function heldOnCard(parts: Parts, user: number, operation: number): Promise<Payment | null> {
  const { service } = parts.payments;
  const deposit = kopecks(100_00);
  const redirectUrl = 'https://fpay.test/status/1';
  const hold = { operation, user, method: 'bank', deposit, description: 'Charging', redirectUrl } as const;
  const payment =
    (await service.ofOperation(operation)) ?? (await parts.steps.run((step) => service.openHold(step, hold)));
  if (payment.state === 'pending' || payment.state === 'created') await service.pageOf(payment.id);
  return payAtBank(parts, payment);
}

/** The driver pays once; a page that is paid already says so. */
async function payAtBank(parts: Parts, { id }: Payment): Promise<Payment | null> {
  const payment = await parts.payments.service.find(id);
  if (payment?.state === 'created') await parts.atBank(payment.invoice, 'pay').catch(() => {});
  await parts.payments.service.lookNow(id);
  await parts.runDue();
  return parts.payments.service.find(id);
}

const held = [
  'commit', // the operation's payment, with what is due
  'bank.open',
  'commit', // the invoice and its page
  'bank.news',
  'commit', // the hold
] as const;

const captured = [
  'commit', // the wish to capture
  'bank.news',
  'commit', // nothing new
  'bank.finalize',
  'bank.news',
  'commit', // the captured sum, in the books
] as const;

const released = [
  'commit', // the wish to release
  'bank.news',
  'commit', // nothing new
  'bank.cancel',
  'bank.news',
  'commit', // the end of the hold
] as const;

const refunded = [
  'commit', // the wish to refund, the sum set aside
  'bank.news',
  'bank.refund',
] as const;

/** Staff decide on what the bank says now. */
const lookedAt = ['bank.news', 'commit'] as const;

/** Every place where a crash can come between two things that outlive it: after each commit, after each word to the bank. */
export const crashPoints = {
  'card hold, captured, then lowered': [...held, ...captured, ...refunded],
  'card hold, released': [...held, ...released],
  'balance deposit, settled': [
    'commit', // the payment and the reserve
    'commit', // earned and returned
  ],
  'top-up': held,
  gift: ['commit'],
  'staff give, take, and undo the taking': ['commit', 'commit', 'commit'],
  'hold canceled by staff': [...held, ...lookedAt, ...released],
  'card payment refunded in part by staff': [...held, ...captured, ...lookedAt, ...refunded],
  'top-up returned to its card by staff': [...held, ...refunded],
} as const satisfies Record<FlowName, readonly string[]>;

/** Calls `point` after everything that outlives a crash; what comes before the next of them leaves no trace. */
export function withPoints<P extends { steps: Money['steps']; bank: Bank }>(
  { steps, bank }: P,
  point: (name: string) => void,
) {
  return {
    steps: {
      run: async <T>(work: Parameters<Money['steps']['run']>[0]): Promise<T> => {
        const result = await steps.run(work);
        point('commit');
        return result as T;
      },
    } as Money['steps'],
    bank: new Proxy(bank, {
      get(target, name: keyof Bank) {
        return async (...args: unknown[]) => {
          const answer = await (target[name] as (...given: unknown[]) => Promise<unknown>)(...args);
          point(`bank.${name}`);
          return answer;
        };
      },
    }),
  };
}
