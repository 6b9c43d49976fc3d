import { kopecks } from '@fpay/contract/money';
import { expect, test } from 'vitest';
import type { PaymentSubject } from './action.ts';
import { paymentEffect } from './actions.ts';

const captured = (method: PaymentSubject['payment']['method']): PaymentSubject => ({
  payment: {
    state: 'success',
    holdStatus: 'success',
    method,
    amount: kopecks(150_00),
    captured: kopecks(120_00),
    refunded: kopecks(0),
    total: kopecks(120_00),
    wanted: null,
  },
  isOperationOpen: false,
  cost: null,
  kept: 120_00,
  refundable: 120_00,
});

test('a lower final sum is returned to the card', () => {
  const effect = paymentEffect(captured('bank'), { action: 'finalize', amount: kopecks(100_00) });
  expect(effect).toMatchObject({ is_allowed: true, money: [{ kind: 'refund', amount: 20_00 }] });
});

test('what a reward took cannot go back to the card as well', () => {
  const rewarded = { ...captured('bank'), refundable: 50_00 };
  const refusal = (order: Parameters<typeof paymentEffect>[1]) => paymentEffect(rewarded, order).refusal;
  expect(refusal({ action: 'finalize', amount: kopecks(60_00) })).toBe('refund_too_high');
  expect(refusal({ action: 'finalize', amount: kopecks(70_00) })).toBeNull();
  expect(refusal({ action: 'cancel_payment', amount: kopecks(50_01) })).toBe('refund_too_high');
  const all = paymentEffect(rewarded, { action: 'cancel_payment' });
  expect(all).toMatchObject({ payment: null, money: [{ kind: 'refund', amount: 50_00 }] });
});

test('the preview promises no return to a card for a charge from the balance, as the action refuses it', () => {
  const lower = paymentEffect(captured('bonuses'), { action: 'finalize', amount: kopecks(100_00) });
  expect(lower).toMatchObject({ is_allowed: false, refusal: 'payment_not_captured', money: [] });
  const same = paymentEffect(captured('bonuses'), { action: 'finalize', amount: kopecks(120_00) });
  expect(same).toMatchObject({ is_allowed: true, money: [] });
});
