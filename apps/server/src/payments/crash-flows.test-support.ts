import { kopecks } from '@fpay/contract/money';
import type { Money } from './money.test-support.ts';
import type { PaymentState } from './payment.ts';
import type { Payment } from './store.ts';

type Parts = Pick<
  Money,
  'steps' | 'payments' | 'gifts' | 'staffMoney' | 'wallet' | 'atBank' | 'switchBank' | 'endCharge' | 'runDue' | 'pass'
>;

/** What a flow works on: made before it starts, so that it can be told twice. */
export interface Ground {
  user: number;
  staff: number;
  other: { id: number; phone: string };
  guest: number;
  operation: number;
  key: string;
}

export interface Flow {
  /** What came before and is killed in a flow of its own. */
  before?: (parts: Parts, ground: Ground) => Promise<unknown>;
  /** As those who drive it would: may be repeated after a crash, and the repeat must find what is done. */
  run: (parts: Parts, ground: Ground) => Promise<unknown>;
  /** Every place where a crash can come between two things that outlive it: after each commit, each word to the bank. */
  points: readonly string[];
  /** What must be true once everything has come to rest. */
  ends: {
    payment: { state: PaymentState; captured?: number; refunded?: number; lost?: number } | null;
    balance: number;
  };
}

const opened = [
  'commit', // the payment, with what is due
  'bank.open',
  'commit', // the invoice and its page
] as const;

const paid = [
  'bank.news',
  'commit', // what the bank says
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
  'bank.news',
  'commit', // out of clearing, or back to where it came from
] as const;

/** Staff decide on what the bank says now. */
const lookedAt = ['bank.news', 'commit'] as const;

/** All flows of money, each from where the one before it ends. */
export const flows = {
  'card hold': {
    run: heldOnCard,
    points: [...opened, ...paid],
    ends: { payment: { state: 'hold' }, balance: 300_00 },
  },
  'card declined': {
    before: async (parts, ground) => parts.atBank((await openedOnCard(parts, ground)).invoice, 'decline'),
    run: look,
    points: paid,
    ends: { payment: { state: 'failure' }, balance: 300_00 },
  },
  'unpaid invoice withdrawn': {
    before: openedOnCard,
    run: release,
    points: ['commit', 'bank.news', 'commit', 'bank.remove', 'commit'],
    ends: { payment: { state: 'expired' }, balance: 300_00 },
  },
  'card hold captured': {
    before: heldOnCard,
    run: capture80,
    points: captured,
    ends: { payment: { state: 'success', captured: 80_00 }, balance: 300_00 },
  },
  'card hold captured by a bank that takes its time': {
    async before(parts, ground) {
      const { id } = await heldOnCard(parts, ground);
      await parts.switchBank({ reference: `FPAY-${id}`, finalizeMs: 2_000 });
    },
    run: capture80,
    points: captured,
    ends: { payment: { state: 'success', captured: 80_00 }, balance: 300_00 },
  },
  'captured sum lowered': {
    before: capturedOnCard,
    run: async (parts, ground) => {
      await capture(parts, ground, 60_00);
      await parts.pass(lookMs);
    },
    points: refunded,
    ends: { payment: { state: 'success', captured: 80_00, refunded: 20_00 }, balance: 300_00 },
  },
  'sum too small to capture': {
    async before(parts, ground) {
      const { id } = await heldOnCard(parts, ground);
      await parts.switchBank({ reference: `FPAY-${id}`, finalize: 'refused:1145' });
    },
    run: (parts, ground) => capture(parts, ground, 1),
    // The wish, refused; the loss and the wish to release; the release.
    points: [...captured.slice(0, 4), 'commit', 'bank.news', 'commit', 'bank.cancel', 'bank.news', 'commit'],
    ends: { payment: { state: 'reversed', lost: 1 }, balance: 300_00 },
  },
  'hold that ended before it was captured': {
    async before(parts, ground) {
      const { id } = await heldOnCard(parts, ground);
      await parts.switchBank({ reference: `FPAY-${id}`, ageDays: 9 });
    },
    run: capture80,
    points: ['commit', 'bank.news', 'commit'],
    ends: { payment: { state: 'reversed', lost: 80_00 }, balance: 300_00 },
  },
  'card hold released': {
    before: heldOnCard,
    run: release,
    points: released,
    ends: { payment: { state: 'reversed' }, balance: 300_00 },
  },
  'card hold released by a bank that takes its time': {
    async before(parts, ground) {
      const { id } = await heldOnCard(parts, ground);
      await parts.switchBank({ reference: `FPAY-${id}`, cancelMs: 2_000 });
    },
    run: release,
    points: released,
    ends: { payment: { state: 'reversed' }, balance: 300_00 },
  },
  'hold that comes after we gave it up': {
    async before(parts, ground) {
      const { invoice } = await openedOnCard(parts, ground);
      await parts.atBank(invoice, 'expire');
      await look(parts, ground);
      await parts.atBank(invoice, 'pay', { late: true });
    },
    run: look,
    points: [...paid, 'bank.cancel', 'bank.news', 'commit'],
    ends: { payment: { state: 'reversed' }, balance: 300_00 },
  },
  'payment that the card’s owner took back': {
    before: async (parts, ground) => parts.atBank((await capturedOnCard(parts, ground)).invoice, 'chargeback'),
    run: look,
    points: paid,
    ends: { payment: { state: 'reversed', captured: 80_00, refunded: 80_00 }, balance: 300_00 },
  },
  'balance deposit': {
    run: depositFromBalance,
    points: ['commit'],
    ends: { payment: { state: 'hold' }, balance: 200_00 },
  },
  'balance deposit settled': {
    before: depositFromBalance,
    run: (parts, ground) => capture(parts, ground, 65_00),
    points: ['commit'],
    ends: { payment: { state: 'success', captured: 65_00 }, balance: 235_00 },
  },
  'balance deposit released': {
    before: depositFromBalance,
    run: release,
    points: ['commit'],
    ends: { payment: { state: 'reversed' }, balance: 300_00 },
  },
  'settled deposit corrected': {
    async before(parts, ground) {
      await depositFromBalance(parts, ground);
      await capture(parts, ground, 65_00);
    },
    run: (parts, ground) => capture(parts, ground, 70_00),
    points: ['commit'],
    ends: { payment: { state: 'success', captured: 70_00 }, balance: 230_00 },
  },
  'top-up': {
    run: toppedUp,
    points: [...opened, ...paid],
    ends: { payment: { state: 'success', captured: 50_00 }, balance: 350_00 },
  },
  gift: {
    run: ({ gifts }, { user, other, key }) =>
      gifts.give({ sender: user, to: other.phone, amount: kopecks(10_00), requestKey: key }),
    points: ['commit'],
    ends: { payment: null, balance: 290_00 },
  },
  'promotion’s reward': {
    run: ({ steps, wallet }, { user, operation }) =>
      steps.run((step) => wallet.reward(step, { promo: 1, operation, user, amount: kopecks(40_00) })),
    points: ['commit'],
    ends: { payment: null, balance: 340_00 },
  },
  'money left to a party’s owner': {
    run: ({ steps, gifts }, { user, other }) =>
      steps.run((step) => gifts.returnToOwner(step, { member: user, owner: other.id })),
    points: ['commit'],
    ends: { payment: null, balance: 0 },
  },
  'guest’s money taken along': {
    run: ({ steps, wallet }, { user, guest }) => steps.run((step) => wallet.moveAll(step, guest, user)),
    points: ['commit'],
    ends: { payment: null, balance: 315_00 },
  },
  'staff give, take, and undo the taking': {
    async run({ staffMoney, wallet }, { user, staff, key }) {
      await staffMoney.increase({ staff, user, amount: kopecks(20_00), requestKey: `${key}:give` });
      await staffMoney.decrease({ staff, user, amount: kopecks(5_00), requestKey: `${key}:take` });
      const taken = (await wallet.transactions(user, {})).find(({ amount }) => amount === -5_00);
      if (!taken) throw new Error('nothing was taken');
      const undo = { staff, transaction: taken.id, cancelPayment: false, allowPartial: false };
      const { reversed } = await staffMoney.cancelTransaction({ ...undo, requestKey: `${key}:undo` });
      if (reversed !== 5_00) throw new Error(`the repeated request was told another sum: ${reversed}`);
    },
    points: ['commit', 'commit', 'commit'],
    ends: { payment: null, balance: 320_00 },
  },
  'hold finalized by staff': {
    async before(parts, ground) {
      await heldOnCard(parts, ground);
      await parts.endCharge(ground.operation, 80_00);
    },
    async run(parts, ground) {
      await parts.payments.desk.finalize(await orderOf(parts, ground), kopecks(80_00));
      await parts.runDue();
    },
    points: [...lookedAt, ...captured],
    ends: { payment: { state: 'success', captured: 80_00 }, balance: 300_00 },
  },
  'hold canceled by staff': {
    before: heldOnCard,
    async run(parts, ground) {
      await parts.payments.desk.cancelHold(await orderOf(parts, ground));
      await parts.runDue();
    },
    points: [...lookedAt, ...released],
    ends: { payment: { state: 'reversed' }, balance: 300_00 },
  },
  'card payment refunded in part by staff': {
    before: capturedOnCard,
    async run(parts, ground) {
      await parts.payments.desk.cancelPayment(await orderOf(parts, ground), kopecks(30_00));
      await parts.runDue();
      await parts.pass(lookMs);
    },
    points: [...lookedAt, ...refunded],
    ends: { payment: { state: 'success', captured: 80_00, refunded: 30_00 }, balance: 300_00 },
  },
  'top-up returned to its card by staff': {
    before: toppedUp,
    run: returnToCard,
    points: refunded,
    ends: { payment: { state: 'reversed', captured: 50_00, refunded: 50_00 }, balance: 300_00 },
  },
  'top-up whose return the bank refuses': {
    async before(parts, ground) {
      const { id } = await toppedUp(parts, ground);
      await parts.switchBank({ reference: `FPAY-${id}`, cancelEndsIn: 'failure' });
    },
    async run(parts, ground) {
      await returnToCard(parts, ground);
      await parts.pass(refusalMs);
    },
    points: refunded,
    ends: { payment: { state: 'success', captured: 50_00 }, balance: 350_00 },
  },
} as const satisfies Record<string, Flow>;
export type FlowName = keyof typeof flows;

/** What the bank accepted is looked at again after this. */
const lookMs = 4_000;
/** A refusal may be an echo: the list of returns is read once more before it is believed. */
const refusalMs = 61_000;
const deposit = kopecks(100_00);

/** The operation's payment, or the top-up of the ground's key. */
export async function paymentOf({ payments }: Pick<Parts, 'payments'>, { operation, key }: Ground) {
  return (await payments.service.ofOperation(operation)) ?? (await payments.store.byRequest(key));
}

async function known(parts: Parts, ground: Ground): Promise<Payment> {
  const payment = await paymentOf(parts, ground);
  if (!payment) throw new Error('there is no payment yet');
  return payment;
}

async function openedOnCard(parts: Parts, ground: Ground): Promise<Payment> {
  const { service } = parts.payments;
  const { operation, user } = ground;
  const redirectUrl = 'https://fpay.test/status/1';
  const hold = { operation, user, method: 'bank', deposit, description: 'Charging', redirectUrl } as const;
  const payment =
    (await service.ofOperation(operation)) ?? (await parts.steps.run((step) => service.openHold(step, hold)));
  if (payment.state === 'pending' || payment.state === 'created') await service.pageOf(payment.id);
  return known(parts, ground);
}

async function heldOnCard(parts: Parts, ground: Ground): Promise<Payment> {
  return payAtBank(parts, ground, await openedOnCard(parts, ground));
}

async function capturedOnCard(parts: Parts, ground: Ground): Promise<Payment> {
  await heldOnCard(parts, ground);
  await capture80(parts, ground);
  return known(parts, ground);
}

async function toppedUp(parts: Parts, ground: Ground): Promise<Payment> {
  const { user, key } = ground;
  await parts.payments.topUps.buy({ user, amount: kopecks(50_00), redirectTo: '/balance', requestKey: key });
  return payAtBank(parts, ground, await known(parts, ground));
}

/** The driver pays once; a page that is paid already says so. */
async function payAtBank(parts: Parts, ground: Ground, payment: Payment): Promise<Payment> {
  if (payment.state === 'created') await parts.atBank(payment.invoice, 'pay').catch(() => {});
  return look(parts, ground);
}

async function look(parts: Parts, ground: Ground): Promise<Payment> {
  await parts.payments.service.lookNow((await known(parts, ground)).id);
  await parts.runDue();
  return known(parts, ground);
}

async function capture(parts: Parts, ground: Ground, total: number): Promise<void> {
  const { id } = await known(parts, ground);
  await parts.steps.run((step) => parts.payments.service.capture(step, id, kopecks(total)));
  await parts.runDue();
}

function capture80(parts: Parts, ground: Ground): Promise<void> {
  return capture(parts, ground, 80_00);
}

async function release(parts: Parts, ground: Ground): Promise<void> {
  const { id } = await known(parts, ground);
  await parts.steps.run((step) => parts.payments.service.release(step, id));
  await parts.runDue();
}

async function depositFromBalance({ steps, payments }: Parts, { operation, user }: Ground): Promise<void> {
  if (await payments.service.ofOperation(operation)) return;
  const hold = { operation, user, method: 'bonuses', deposit, description: 'Charging' } as const;
  await steps.run((step) => payments.service.openHold(step, hold));
}

async function orderOf(parts: Parts, ground: Ground) {
  return { staff: ground.staff, payment: (await known(parts, ground)).id, requestKey: ground.key };
}

async function returnToCard(parts: Parts, { user, staff, key }: Ground): Promise<void> {
  const transactions = await parts.wallet.transactions(user, {});
  const credited = transactions.find(({ type }) => type === 'deposit');
  if (!credited) throw new Error('nothing was credited');
  const undo = { staff, transaction: credited.id, cancelPayment: true, allowPartial: false };
  await parts.staffMoney.cancelTransaction({ ...undo, requestKey: `${key}:undo` });
  await parts.runDue();
  await parts.pass(lookMs);
}
