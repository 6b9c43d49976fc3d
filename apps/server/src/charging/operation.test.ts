import { readFileSync } from 'node:fs';
import { isOpen, operationStatuses } from '@fpay/contract/charging';
import { expect, test } from 'vitest';
import { stateDiagram } from '../testing/state-diagram.ts';
import { nextStatus, transitions } from './operation.ts';

/** Copied by hand from the decisions' table, independently of the code. */
const rows = `
created → pending: depositSecured
created → failed_hold: holdFailed
created → canceled: withdrawn
created → ongoing: chargeReported
pending → ongoing: chargeReported
starting → ongoing: chargeReported
pending → starting: startSent
pending → canceled: withdrawn
starting → ongoing: powerFlows
starting → failed: startFailed
starting → canceled: withdrawn
ongoing → finishing: stopAsked
ongoing → finishing: unplugAwaited
ongoing → pending_final_payment: captureDue
ongoing → finished: settled
ongoing → failed: nothingDelivered
finishing → finishing: unplugAwaited
finishing → pending_final_payment: captureDue
finishing → finished: settled
finishing → failed: nothingDelivered
pending_final_payment → finished: settled`;

test('an operation has ten statuses, five of them open [MACH-01]', () => {
  expect(operationStatuses).toEqual(
    'created pending starting ongoing finishing finished pending_final_payment canceled failed failed_hold'.split(' '),
  );
  expect(operationStatuses.filter(isOpen)).toEqual(['created', 'pending', 'starting', 'ongoing', 'finishing']);
});

test('the machine is the table of the decisions, no more and no less', () => {
  const listed = Object.entries(transitions).flatMap(([from, events]) =>
    Object.entries(events).map(([event, to]) => `${from} → ${to}: ${event}`),
  );
  expect(listed.sort()).toEqual(rows.trim().split('\n').sort());
});

test('an event that is not in the table changes nothing', () => {
  expect(nextStatus('finished', 'powerFlows')).toBeNull();
  expect(nextStatus('canceled', 'depositSecured')).toBeNull();
  expect(nextStatus('ongoing', 'withdrawn')).toBeNull();
  expect(nextStatus('starting', 'powerFlows')).toBe('ongoing');
});

test('staff set any status by an override, which is an event like the others', () => {
  expect(nextStatus('finished', { overriddenTo: 'ongoing' })).toBe('ongoing');
  expect(nextStatus('created', { overriddenTo: 'failed' })).toBe('failed');
});

test('the diagram in the docs is generated from the table', () => {
  const docs = readFileSync(new URL('../../../../docs/charging.md', import.meta.url), 'utf8');
  expect(docs).toContain(stateDiagram('created', transitions));
});
