import { declineReasons } from '@fpay/contract/payments';
import { expect, test } from 'vitest';
import { declineReasonOf } from './decline.ts';

test.each([
  ['59', 'not_enough_money'],
  ['1419', 'wrong_card_data'],
  ['61', 'card_limit'],
  ['41', 'lost_card'],
  ['1428', 'blocked_by_issuer'],
  ['8004', 'three_d_secure'],
  ['8002', 'canceled_by_payer'],
  ['8001', 'link_expired'],
  ['8003', 'bank_trouble'],
  ['4711', 'unknown'],
  [null, 'unknown'],
] as const)('the code %s of the bank means %s to the payer', (code, reason) => {
  expect(declineReasonOf('monobank', code)).toBe(reason);
  expect(declineReasons).toContain(reason);
});
