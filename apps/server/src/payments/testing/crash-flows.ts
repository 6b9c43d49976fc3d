import { kopecks } from '@fpay/contract/money';
import type { Payment } from '../payment-row.ts';
import type { CrashFixture, CrashParts, Flow } from './crash-flow.ts';

const opened = [
  'commit', // the payment, with its due time
  'bank.open',
  'commit', // the invoice and its page
] as const;

const paid = [
  'bank.invoiceStatus',
  'commit', // the bank's status
] as const;

const captured = [
  'commit', // the requested capture
  'bank.invoiceStatus',
  'commit', // nothing new
  'bank.finalize',
  'bank.invoiceStatus',
  'commit', // the captured sum, in the books
] as const;

const released = [
  'commit', // the requested release
  'bank.invoiceStatus',
  'commit', // nothing new
  'bank.cancel',
  'bank.invoiceStatus',
  'commit', // the end of the hold
] as const;

const refunded = [
  'commit', // the requested refund and its reserved sum
  'bank.invoiceStatus',
  'bank.refund',
  'bank.invoiceStatus',
  'commit', // out of clearing, or back to its source
] as const;

/** Staff decide on the bank's current status. */
const lookedAt = ['bank.invoiceStatus', 'commit'] as const;

/** All money flows, each from where the previous one ends. */
export const flows = {
  'card hold': {
    run: heldOnCard,
    points: [...opened, ...paid],
    ends: { payment: { state: 'hold' }, balance: 300_00 },
  },
  'card declined': {
    before: async (parts, fixture) => parts.atBank((await openedOnCard(parts, fixture)).invoice, 'decline'),
    run: look,
    points: paid,
    ends: { payment: { state: 'failure' }, balance: 300_00 },
  },
  'unpaid invoice withdrawn': {
    before: openedOnCard,
    run: release,
    points: ['commit', 'bank.invoiceStatus', 'commit', 'bank.remove', 'commit'],
    ends: { payment: { state: 'expired' }, balance: 300_00 },
  },
  'card hold captured': {
    before: heldOnCard,
    run: capture80,
    points: captured,
    ends: { payment: { state: 'success', captured: 80_00 }, balance: 300_00 },
  },
  'card hold captured by a bank that takes its time': {
    async before(parts, fixture) {
      const { id } = await heldOnCard(parts, fixture);
      await parts.switchBank({ reference: `FPAY-${id}`, finalizeMs: 2_000 });
    },
    run: capture80,
    points: captured,
    ends: { payment: { state: 'success', captured: 80_00 }, balance: 300_00 },
  },
  'captured sum lowered': {
    before: capturedOnCard,
    run: async (parts, fixture) => {
      await capture(parts, fixture, 60_00);
      await parts.pass(lookMs);
    },
    points: refunded,
    ends: { payment: { state: 'success', captured: 80_00, refunded: 20_00 }, balance: 300_00 },
  },
  'sum too small to capture': {
    async before(parts, fixture) {
      const { id } = await heldOnCard(parts, fixture);
      await parts.switchBank({ reference: `FPAY-${id}`, finalize: 'refused:1145' });
    },
    run: (parts, fixture) => capture(parts, fixture, 1),
    // The request, refused; the loss and the requested release; the release.
    points: [
      ...captured.slice(0, 4),
      'commit',
      'bank.invoiceStatus',
      'commit',
      'bank.cancel',
      'bank.invoiceStatus',
      'commit',
    ],
    ends: { payment: { state: 'reversed', lost: 1 }, balance: 300_00 },
  },
  'hold that ended before it was captured': {
    async before(parts, fixture) {
      const { id } = await heldOnCard(parts, fixture);
      await parts.switchBank({ reference: `FPAY-${id}`, ageDays: 9 });
    },
    run: capture80,
    points: ['commit', 'bank.invoiceStatus', 'commit'],
    ends: { payment: { state: 'reversed', lost: 80_00 }, balance: 300_00 },
  },
  'card hold released': {
    before: heldOnCard,
    run: release,
    points: released,
    ends: { payment: { state: 'reversed' }, balance: 300_00 },
  },
  'card hold released by a bank that takes its time': {
    async before(parts, fixture) {
      const { id } = await heldOnCard(parts, fixture);
      await parts.switchBank({ reference: `FPAY-${id}`, cancelMs: 2_000 });
    },
    run: release,
    points: released,
    ends: { payment: { state: 'reversed' }, balance: 300_00 },
  },
  'hold that comes after we gave it up': {
    async before(parts, fixture) {
      const { invoice } = await openedOnCard(parts, fixture);
      await parts.atBank(invoice, 'expire');
      await look(parts, fixture);
      await parts.atBank(invoice, 'pay', { late: true });
    },
    run: look,
    points: [...paid, 'bank.cancel', 'bank.invoiceStatus', 'commit'],
    ends: { payment: { state: 'reversed' }, balance: 300_00 },
  },
  'payment that the card’s owner took back': {
    before: async (parts, fixture) => parts.atBank((await capturedOnCard(parts, fixture)).invoice, 'chargeback'),
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
    run: (parts, fixture) => capture(parts, fixture, 65_00),
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
    before: settledDeposit,
    run: (parts, fixture) => capture(parts, fixture, 70_00),
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
    before: settledDeposit,
    run: ({ steps, wallet }, { user, operation }) =>
      steps.run((step) => wallet.reward(step, { promo: 1, operation, user, amount: kopecks(40_00) })),
    points: ['commit'],
    ends: { payment: { state: 'success', captured: 65_00 }, balance: 275_00 },
  },
  'money left to a party’s owner': {
    async before({ db, clock, gifts }, { user, other, key }) {
      const at = clock.now();
      const party = { name: 'A party', owner_id: user, is_closed: true, created_at: at };
      const { id } = await db.insertInto('parties').values(party).returning('id').executeTakeFirstOrThrow();
      const members = [user, other.id].map((member) => ({ user_id: member, party_id: id, joined_at: at }));
      await db.insertInto('party_members').values(members).execute();
      await gifts.give({ sender: user, to: other.phone, amount: kopecks(40_00), requestKey: `${key}:gift` });
    },
    run: ({ steps, gifts }, { user, other }) =>
      steps.run((step) => gifts.returnToOwner(step, { member: other.id, owner: user })),
    points: ['commit'],
    ends: { payment: null, balance: 300_00 },
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
      if (reversed !== 5_00) throw new Error(`the repeated request returned another sum: ${reversed}`);
    },
    points: ['commit', 'commit', 'commit'],
    ends: { payment: null, balance: 320_00 },
  },
  'hold finalized by staff': {
    async before(parts, fixture) {
      await heldOnCard(parts, fixture);
      await parts.endCharge(fixture.operation, 80_00);
    },
    async run(parts, fixture) {
      const request = { action: 'finalize', amount: kopecks(80_00) } as const;
      await parts.payments.staffActions.act(await orderOf(parts, fixture), request);
      await parts.runDue();
    },
    points: [...lookedAt, ...captured],
    ends: { payment: { state: 'success', captured: 80_00 }, balance: 300_00 },
  },
  'hold canceled by staff': {
    before: heldOnCard,
    async run(parts, fixture) {
      await parts.payments.staffActions.act(await orderOf(parts, fixture), { action: 'cancel_hold' });
      await parts.runDue();
    },
    points: [...lookedAt, ...released],
    ends: { payment: { state: 'reversed' }, balance: 300_00 },
  },
  'card payment refunded in part by staff': {
    before: capturedOnCard,
    async run(parts, fixture) {
      const request = { action: 'cancel_payment', amount: kopecks(30_00) } as const;
      await parts.payments.staffActions.act(await orderOf(parts, fixture), request);
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
    async before(parts, fixture) {
      const { id } = await toppedUp(parts, fixture);
      await parts.switchBank({ reference: `FPAY-${id}`, cancelEndsIn: 'failure' });
    },
    async run(parts, fixture) {
      await returnToCard(parts, fixture);
      await parts.pass(refusalMs);
    },
    points: refunded,
    ends: { payment: { state: 'success', captured: 50_00 }, balance: 350_00 },
  },
} as const satisfies Record<string, Flow>;
export type FlowName = keyof typeof flows;

/** A call that the bank accepted is checked again after this. */
const lookMs = 4_000;
/** A refusal may be caused by an earlier request, so the list of returns is read once more before it counts. */
const refusalMs = 61_000;
const deposit = kopecks(100_00);

/** The operation's payment, or the top-up with the fixture's key. */
export async function paymentOf({ payments }: Pick<CrashParts, 'payments'>, { operation, key }: CrashFixture) {
  return (await payments.service.ofOperation(operation)) ?? (await payments.store.byRequest(key));
}

async function known(parts: CrashParts, fixture: CrashFixture): Promise<Payment> {
  const payment = await paymentOf(parts, fixture);
  if (!payment) throw new Error('there is no payment yet');
  return payment;
}

async function openedOnCard(parts: CrashParts, fixture: CrashFixture): Promise<Payment> {
  const { service } = parts.payments;
  const { operation, user } = fixture;
  const redirectUrl = 'https://fpay.test/status/1';
  const hold = { operation, user, method: 'bank', deposit, description: 'Charging', redirectUrl } as const;
  const payment =
    (await service.ofOperation(operation)) ?? (await parts.steps.run((step) => service.openHold(step, hold)));
  if (payment.state === 'pending' || payment.state === 'created') await service.pageOf(payment.id);
  return known(parts, fixture);
}

async function heldOnCard(parts: CrashParts, fixture: CrashFixture): Promise<Payment> {
  return payAtBank(parts, fixture, await openedOnCard(parts, fixture));
}

function settledDeposit(parts: CrashParts, fixture: CrashFixture): Promise<unknown> {
  return depositFromBalance(parts, fixture).then(() => capture(parts, fixture, 65_00));
}

async function capturedOnCard(parts: CrashParts, fixture: CrashFixture): Promise<Payment> {
  await heldOnCard(parts, fixture);
  await capture80(parts, fixture);
  return known(parts, fixture);
}

async function toppedUp(parts: CrashParts, fixture: CrashFixture): Promise<Payment> {
  const { user, key } = fixture;
  await parts.payments.topUps.buy({ user, amount: kopecks(50_00), redirectTo: '/balance', requestKey: key });
  return payAtBank(parts, fixture, await known(parts, fixture));
}

/** The driver pays once; a page that is already paid says so. */
async function payAtBank(parts: CrashParts, fixture: CrashFixture, payment: Payment): Promise<Payment> {
  if (payment.state === 'created') await parts.atBank(payment.invoice, 'pay').catch(() => {});
  return look(parts, fixture);
}

async function look(parts: CrashParts, fixture: CrashFixture): Promise<Payment> {
  await parts.payments.service.lookNow((await known(parts, fixture)).id);
  await parts.runDue();
  return known(parts, fixture);
}

async function capture(parts: CrashParts, fixture: CrashFixture, total: number): Promise<void> {
  const { id } = await known(parts, fixture);
  await parts.steps.run((step) => parts.payments.service.capture(step, id, kopecks(total)));
  await parts.runDue();
}

function capture80(parts: CrashParts, fixture: CrashFixture): Promise<void> {
  return capture(parts, fixture, 80_00);
}

async function release(parts: CrashParts, fixture: CrashFixture): Promise<void> {
  const { id } = await known(parts, fixture);
  await parts.steps.run((step) => parts.payments.service.release(step, id));
  await parts.runDue();
}

async function depositFromBalance({ steps, payments }: CrashParts, { operation, user }: CrashFixture): Promise<void> {
  if (await payments.service.ofOperation(operation)) return;
  const hold = { operation, user, method: 'bonuses', deposit, description: 'Charging' } as const;
  await steps.run((step) => payments.service.openHold(step, hold));
}

async function orderOf(parts: CrashParts, fixture: CrashFixture) {
  return { staff: fixture.staff, payment: (await known(parts, fixture)).id, requestKey: fixture.key };
}

async function returnToCard(parts: CrashParts, { user, staff, key }: CrashFixture): Promise<void> {
  const transactions = await parts.wallet.transactions(user, {});
  const credited = transactions.find(({ type }) => type === 'deposit');
  if (!credited) throw new Error('nothing was credited');
  const undo = { staff, transaction: credited.id, cancelPayment: true, allowPartial: false };
  await parts.staffMoney.cancelTransaction({ ...undo, requestKey: `${key}:undo` });
  await parts.runDue();
  await parts.pass(lookMs);
}
