import { expect, test } from 'vitest';
import { holdLabels, operationLabels } from './filters.ts';

test('operations have the short labels of the specification [MACH-24]', () => {
  expect(operationLabels).toEqual({
    created: 'APC',
    pending: 'PEND',
    starting: 'START',
    ongoing: 'ON',
    finishing: 'FIN',
    finished: 'FIN',
    pending_final_payment: 'PFP',
    canceled: 'CNCLD',
    failed: 'FAIL',
    failed_hold: 'F.HOLD',
  });
});

test('holds have the short labels of the specification [MACH-25]', () => {
  expect(holdLabels).toMatchObject({
    created: 'WAIT',
    processing: 'PROC',
    hold: 'HOLD',
    success: 'OK',
    failure: 'FAIL',
    reversed: 'REV',
    expired: 'EXP',
    unknown: '?',
  });
});
