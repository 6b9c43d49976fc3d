import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cardOf, testCard } from './card.ts';
import type { Invoice } from './invoice.ts';
import * as domain from './invoice.ts';
import { BankRefusal } from './refusal.ts';

const trace = { approvalCode: '123456', rrn: '123456789012', tranId: '12345678' };
const fresh: Invoice = {
  id: '1',
  status: 'created',
  paymentType: 'hold',
  amount: 100_00,
  ccy: 980,
  createdAt: 0,
  modifiedAt: 0,
  validitySec: 900,
  reference: null,
  destination: null,
  redirectUrl: null,
  webHookUrl: null,
  basket: [],
  card: null,
  trace: null,
  thinking: null,
  heldAt: null,
  capturing: null,
  captured: null,
  cancels: [],
  failure: null,
  saveCardTo: null,
  walletData: null,
};

const amount = fc.integer({ min: 1, max: 120_00 });
type Step = (invoice: Invoice, now: number) => Invoice;
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>((invoice, now) =>
    domain.isPayable(invoice)
      ? domain.endPayment(
          domain.startPayment(invoice, { card: cardOf(testCard.number), trace, errCode: null }, now),
          now,
        )
      : invoice,
  ),
  amount.map<Step>((sum) => (invoice, now) => domain.acceptCapture(invoice, { amount: sum, items: [] }, now)),
  fc.constant<Step>(domain.endCapture),
  fc
    .option(amount, { nil: undefined })
    .map<Step>(
      (sum) => (invoice, now) => domain.acceptCancel(invoice, { amount: sum, extRef: null, items: [], trace }, now),
    ),
  fc
    .constantFrom('success' as const, 'failure' as const)
    .map<Step>(
      (outcome) => (invoice, now) =>
        domain.isBeingReturned(invoice) ? domain.endCancels(invoice, outcome, 'success', now) : invoice,
    ),
  fc.constant<Step>((invoice, now) => (invoice.status === 'hold' ? domain.expireHold(invoice, now) : invoice)),
  fc.constant<Step>(domain.remove),
);

test('for every sequence of calls, no more is captured than was held and no more is returned than was captured', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('hold' as const, 'debit' as const),
      fc.array(steps, { maxLength: 12 }),
      (paymentType, asked) => {
        let invoice: Invoice = { ...fresh, paymentType };
        asked.forEach((step, now) => {
          const before = invoice;
          try {
            invoice = step(invoice, now);
          } catch (error) {
            // A refusal changes nothing; any other error is a bug.
            expect(error).toBeInstanceOf(BankRefusal);
          }
          const captured = invoice.captured?.amount ?? 0;
          expect(captured).toBeLessThanOrEqual(invoice.amount);
          expect(domain.finalAmountOf(invoice) ?? 0).toBeGreaterThanOrEqual(0);
          expect(domain.finalAmountOf(invoice) ?? 0).toBeLessThanOrEqual(captured);
          expect(invoice.modifiedAt).toBeGreaterThanOrEqual(before.modifiedAt);
          if (before.status === 'reversed') expect(invoice.status).toBe('reversed');
        });
      },
    ),
  );
});

test('the modified date does not go back when the clock does', () => {
  const declined = domain.decline({ ...fresh, modifiedAt: 5000 }, '59', 4000);
  expect(declined.modifiedAt).toBe(5000);
});

test('a chargeback excludes the amount of a refund in progress', () => {
  const captured: Invoice = { ...fresh, status: 'success', captured: { at: 1, amount: 100_00, items: [] } };
  const promised = domain.acceptCancel(captured, { amount: 30_00, extRef: 'a', items: [], trace }, 2);
  const disputed = domain.chargeBack(promised, trace, 3);
  expect([disputed.status, domain.finalAmountOf(disputed)]).toEqual(['success', 30_00]);
  const ended = domain.endCancels(disputed, 'success', 'success', 4);
  expect([ended.status, domain.finalAmountOf(ended)]).toEqual(['reversed', 0]);
});
