import { expect, test } from 'vitest';
import { attemptReason } from './attempt-reason.ts';

test.each([
  ['finished', 1, true, null, null],
  ['ongoing', 2, true, null, 'retried'],
  ['failed_hold', 1, false, 'CARD EXPIRED', 'bank'],
  ['failed', 3, false, 'the station did not start in time', 'not_started'],
  ['failed', 1, false, 'the station is offline', 'offline'],
  ['failed', 1, false, 'the station was lost before it reported whether it started', 'offline'],
  ['failed', 3, false, 'the station refused to start', 'rejected'],
  ['failed', 1, false, 'the connector reports GroundFailure', 'fault'],
  ['failed', 1, false, null, 'other'],
] as const)('%s after %i starts, power %s, "%s": %s', (status, attempt, hasStarted, failureReason, reason) => {
  expect(attemptReason({ status, attempt, hasStarted, failureReason })).toBe(reason);
});
