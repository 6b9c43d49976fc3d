import { holdStatuses, knownHoldStatus, paymentStatusOf } from '@fpay/contract/payments';
import { describe, expect, test } from 'vitest';
import { isStale, nextState, type PaymentEvent, type PaymentState } from './payment.ts';
import { nextPollAt, retryAt } from './schedule.ts';

test('the states of a hold are those of the specification; an old "failed" reads as failure, anything else as unknown [MACH-21] [MACH-23]', () => {
  expect(holdStatuses.toSorted()).toEqual(
    ['pending', 'created', 'processing', 'hold', 'success', 'failure', 'reversed', 'expired', 'unknown'].toSorted(),
  );
  expect([knownHoldStatus('failed'), knownHoldStatus('hold'), knownHoldStatus('held-up')]).toEqual([
    'failure',
    'hold',
    'unknown',
  ]);
  expect([paymentStatusOf.expired, paymentStatusOf.hold, paymentStatusOf.reversed]).toEqual([
    'failed',
    null,
    'reversed',
  ]);
});

describe('a payment’s state', () => {
  const paths: [PaymentState, PaymentEvent[]][] = [
    ['success', ['invoiceOpened', 'processing', 'hold', 'success']],
    ['reversed', ['invoiceOpened', 'processing', 'hold', 'reversed']],
    ['failure', ['invoiceOpened', 'processing', 'failure']],
    ['expired', ['invoiceOpened', 'expired']],
    ['reversed', ['invoiceOpened', 'expired', 'hold', 'reversed']],
    ['reversed', ['invoiceOpened', 'failure', 'success', 'reversed']],
    ['success', ['reserved', 'success']],
    ['reversed', ['reserved', 'reversed']],
  ];
  test.each(paths)('becomes %s by %j [MACH-22]', (end, events) => {
    let state: PaymentState = 'pending';
    for (const event of events) {
      const next = nextState(state, event);
      expect(next, `${state} → ${event}`).not.toBeNull();
      state = next ?? state;
    }
    expect(state).toBe(end);
  });

  test('never leaves "reversed", and never goes back [MACH-22]', () => {
    const events: PaymentEvent[] = ['processing', 'hold', 'success', 'failure', 'expired', 'reversed'];
    expect(events.map((event) => nextState('reversed', event))).toEqual(events.map(() => null));
    expect([nextState('success', 'hold'), nextState('hold', 'expired'), nextState('hold', 'failure')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

test('older news are stale; news of the same second are not', () => {
  const at = (text: string) => new Date(text);
  expect(isStale(at('2026-11-15T10:00:01Z'), { modifiedAt: at('2026-11-15T10:00:00Z') })).toBe(true);
  expect(isStale(at('2026-11-15T10:00:01Z'), { modifiedAt: at('2026-11-15T10:00:01Z') })).toBe(false);
  expect(isStale(null, { modifiedAt: at('2026-11-15T10:00:01Z') })).toBe(false);
});

test('polls come every 15 s for 5 minutes, then each minute, until 10 minutes after the invoice’s end', () => {
  const minute = (count: number) => new Date(count * 60_000);
  const next = (at: number) => nextPollAt(minute(0), minute(15), minute(at))?.getTime();
  expect([next(0), next(4.9), next(5), next(24.9), next(25)]).toEqual([15_000, 309_000, 360_000, 1_554_000, undefined]);
});

test('failed tries pause for 1, 5, 15 and 60 minutes, then an hour each', () => {
  const pauses = [1, 2, 3, 4, 5, 50].map((tries) => retryAt(tries, new Date(0)).getTime() / 60_000);
  expect(pauses).toEqual([1, 5, 15, 60, 60, 60]);
});
