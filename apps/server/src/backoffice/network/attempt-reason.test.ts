import { expect, test } from 'vitest';
import { attemptReason } from './attempt-reason.ts';

test.each([
  ['first', null, null],
  ['first', 'power_loss', null],
  ['later', null, 'retried'],
  [null, null, null],
  ['failed', 'bank_refused', 'bank'],
  ['failed', 'never_delivered', 'offline'],
  ['failed', 'no_plug', 'not_started'],
  ['failed', 'refused', 'rejected'],
  ['failed', 'fault_before', 'fault'],
  ['failed', 'other', 'other'],
] as const)('a try that was %s with the cause %s: %s', (made, cause, reason) => {
  expect(attemptReason({ try: made, cause })).toBe(reason);
});
