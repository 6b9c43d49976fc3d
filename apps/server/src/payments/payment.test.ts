import { globSync, readFileSync } from 'node:fs';
import { holdStatuses, knownHoldStatus, paymentStatusOf } from '@fpay/contract/payments';
import { describe, expect, test } from 'vitest';
import { stateDiagram } from '../testing/state-diagram.ts';
import { bankStatuses } from './bank.ts';
import { isStale, nextState, openingState, type PaymentEvent, paymentTransitions, settlementDue } from './payment.ts';
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

/** Kept by hand from the decisions, apart from the code. */
const rows = `
pending → created: invoiceOpened
pending → failure: invoiceRefused
pending → expired: withdrawn
pending → hold: reserved
created → processing: processing
created → hold: hold
created → success: success
created → failure: failure
created → expired: expired
created → expired: withdrawn
created → expired: timedOut
created → reversed: reversed
processing → hold: hold
processing → success: success
processing → failure: failure
processing → expired: expired
processing → expired: withdrawn
processing → expired: timedOut
processing → reversed: reversed
hold → success: success
hold → success: settled
hold → reversed: reversed
hold → reversed: returned
success → reversed: reversed
failure → hold: hold
failure → success: success
failure → reversed: reversed
expired → hold: hold
expired → success: success
expired → reversed: reversed`;

describe('a payment’s state', () => {
  test('changes along the table of the decisions, no more and no less [MACH-22]', () => {
    const listed = Object.entries(paymentTransitions).flatMap(([from, events]) =>
      Object.entries(events).map(([event, to]) => `${from} → ${to}: ${event}`),
    );
    expect(listed.sort()).toEqual(rows.trim().split('\n').sort());
  });

  const own = ['invoiceOpened', 'invoiceRefused', 'withdrawn', 'timedOut', 'reserved', 'settled', 'returned'] as const;
  // The bank's `created` is what we know already, because we opened the invoice.
  const reported = bankStatuses.filter((status) => status !== 'created');

  test('changes by events of the bank and by our own, and code emits each of our own [MACH-22]', () => {
    const events = new Set(Object.values(paymentTransitions).flatMap((row) => Object.keys(row)));
    expect([...events].sort()).toEqual([...own, ...reported].sort());
    const folder = new URL('.', import.meta.url).pathname;
    const code = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', 'testing/**'] })
      .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
      .join('\n');
    // The reservation is the one event that the store takes from the table when it adds the payment.
    const emitted = (event: string) => code.includes(event === 'reserved' ? 'pending.reserved' : `'${event}'`);
    expect(own.filter((event) => !emitted(event))).toEqual([]);
  });

  test('never leaves "reversed" by an event of the bank, and never goes back [MACH-22]', () => {
    const events: PaymentEvent[] = [...own, ...reported];
    expect(events.map((event) => nextState('reversed', event))).toEqual(events.map(() => null));
    expect([nextState('success', 'hold'), nextState('hold', 'expired'), nextState('hold', 'failure')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('begins as a reserved deposit when the balance pays, and without an invoice when a card pays [MACH-22]', () => {
    expect([openingState(true), openingState(false)]).toEqual(['hold', 'pending']);
  });

  test('is set to any other state only by an override of staff', () => {
    expect(nextState('reversed', { overriddenTo: 'hold' })).toBe('hold');
    expect(nextState('pending', { overriddenTo: 'success' })).toBe('success');
  });

  test('is drawn in the docs from the table', () => {
    const docs = readFileSync(new URL('../../../../docs/charging.md', import.meta.url), 'utf8');
    expect(docs).toContain(stateDiagram('pending', paymentTransitions));
  });
});

test('an older status is stale; one of the same second is not', () => {
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

test('failed attempts pause for 1, 5, 15 and 60 minutes, then an hour each', () => {
  const pauses = [1, 2, 3, 4, 5, 50].map((tries) => retryAt(tries, new Date(0)).getTime() / 60_000);
  expect(pauses).toEqual([1, 5, 15, 60, 60, 60]);
});

test.each([
  ['a captured hold is settled', 'hold', { state: 'success', wanted: 'capture' }, 'settle'],
  [
    'a hold that the bank gave back instead of capturing it is settled',
    'hold',
    { state: 'reversed', wanted: 'capture' },
    'settle',
  ],
  ['a failed capture is settled', 'processing', { state: 'failure', wanted: 'capture' }, 'settle'],
  ['a repeated status is no settlement', 'success', { state: 'success', wanted: 'capture' }, 'nothing'],
  ['a capture that the bank returned is none', 'success', { state: 'reversed', wanted: 'capture' }, 'nothing'],
  ['a hold is not over', 'created', { state: 'hold', wanted: 'capture' }, 'nothing'],
  ['a capture that was not requested waits', 'hold', { state: 'success', wanted: null }, 'nothing'],
  ['a release is not settled', 'hold', { state: 'reversed', wanted: 'release' }, 'nothing'],
  [
    'what the bank returned of a billed charge may be too much',
    'success',
    { state: 'success', wanted: 'capture', total: 5, refunded: 1 },
    'returnExcess',
  ],
  [
    'also when all of it was returned',
    'success',
    { state: 'reversed', wanted: 'capture', total: 5, refunded: 1 },
    'returnExcess',
  ],
  ['not before its total is known', 'success', { state: 'success', wanted: null, total: null, refunded: 1 }, 'nothing'],
  [
    'not of a payment that is released',
    'success',
    { state: 'success', wanted: 'release', total: 5, refunded: 1 },
    'nothing',
  ],
  ['the settlement comes first', 'hold', { state: 'success', wanted: 'capture', total: 5, refunded: 1 }, 'settle'],
] as const)('after an answer of the bank: %s', (_case, before, now, due) => {
  expect(settlementDue({ state: before, refunded: 0 }, { total: null, refunded: 0, ...now })).toBe(due);
});
