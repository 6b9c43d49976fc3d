import { kopecks } from '@fpay/contract/money';
import type { Bank } from './bank.ts';
import type { Money } from './money.test-support.ts';
import type { Payment } from './store.ts';

type Parts = Pick<Money, 'steps' | 'payments' | 'gifts' | 'atBank' | 'runDue'>;

/** What a flow works on: made before it starts, so that it can be told twice. */
export interface Ground {
  user: number;
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

/** Every place where a crash can come between two things that outlive it: after each commit, after each word to the bank. */
export const crashPoints = {
  'card hold, captured, then lowered': [
    'commit', // the operation's payment, with what is due
    'bank.open',
    'commit', // the invoice and its page
    'bank.news',
    'commit', // the hold
    'commit', // the wish to capture
    'bank.news',
    'commit', // nothing new
    'bank.finalize',
    'bank.news',
    'commit', // the captured sum, in the books
    'commit', // the wish to refund, the sum set aside
    'bank.news',
    'bank.refund',
  ],
  'card hold, released': [
    'commit',
    'bank.open',
    'commit',
    'bank.news',
    'commit',
    'commit', // the wish to release
    'bank.news',
    'commit',
    'bank.cancel',
    'bank.news',
    'commit',
  ],
  'balance deposit, settled': [
    'commit', // the payment and the reserve
    'commit', // earned and returned
  ],
  'top-up': [
    'commit',
    'bank.open',
    'commit',
    'bank.news',
    'commit', // the deposit in the wallet
  ],
  gift: ['commit'],
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
