import { operationStatuses } from '@fpay/contract/charging';
import { expect, test } from 'vitest';
import { paymentEffects } from './payment-effect.ts';

/** Kept by hand from the decisions, apart from the code. A payment before its hold, and a pair that is not listed, has no effect. */
const rows = `
hold created secured
hold canceled released
hold failed released
hold failed_hold released
success created secured
success pending_final_payment paid
success finished recounted
success canceled released
success failed released
success failed_hold released
failure created refused
failure pending_final_payment paid
failure finished recounted
expired created withdrawn
expired pending_final_payment paid
expired finished recounted
reversed created withdrawn
reversed pending_final_payment paid
reversed finished recounted`;

test('what a payment means for its operation is the table of the decisions, no more and no less', () => {
  const listed = Object.entries(paymentEffects).flatMap(([payment, row]) =>
    Object.entries(row).flatMap(([operation, effect]) =>
      effect === 'none' ? [] : [`${payment} ${operation} ${effect}`],
    ),
  );
  expect(listed.sort()).toEqual(rows.trim().split('\n').sort());
});

test('every status of a payment has an effect for every status of an operation', () => {
  for (const row of Object.values(paymentEffects))
    expect(Object.keys(row).sort()).toEqual(operationStatuses.toSorted());
});
