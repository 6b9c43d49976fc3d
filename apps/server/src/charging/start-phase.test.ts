import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stateDiagram } from '../testing/state-diagram.ts';
import { answerEvent, nextPhase, startTransitions } from './start-phase.ts';

/** Kept by hand from the decisions on start attempts, apart from the code. */
const rows = `
unsent → sent: startSent
unsent → failed: connectorFaulted
sent → accepted: accepted
sent → accepted: mayCharge
sent → unsent: refused
sent → unsent: notStarted
sent → offline: notDelivered
sent → lost: answerLost
sent → lost: disconnected
sent → failed: attemptsUsed
sent → failed: timedOut
sent → failed: connectorFaulted
accepted → accepted: deviceBack
accepted → unsent: notStarted
accepted → lost: disconnected
accepted → failed: attemptsUsed
accepted → failed: timedOut
accepted → failed: connectorFaulted
offline → unsent: deviceBack
offline → failed: timedOut
offline → failed: connectorFaulted
lost → accepted: deviceBack
lost → failed: timedOut
lost → failed: connectorFaulted`;

test('the phases of a start are the table of the decisions, no more and no less', () => {
  const listed = Object.entries(startTransitions).flatMap(([from, events]) =>
    Object.entries(events).map(([event, to]) => `${from} → ${to}: ${event}`),
  );
  expect(listed.sort()).toEqual(rows.trim().split('\n').sort());
});

test('a start that a station may have heard is not sent again before its queue was waited for', () => {
  expect(nextPhase('lost', 'notStarted')).toBeNull();
  expect(nextPhase('lost', 'deviceBack')).toBe('accepted');
  expect(nextPhase('offline', 'deviceBack')).toBe('unsent');
});

test('an answer to an older attempt changes nothing', () => {
  for (const phase of ['unsent', 'accepted', 'offline', 'lost'] as const) {
    expect([nextPhase(phase, 'accepted'), nextPhase(phase, 'refused'), nextPhase(phase, 'answerLost')]).toEqual([
      null,
      null,
      null,
    ]);
  }
});

test.each([
  ['answered', { status: 'Accepted' }, true, 'accepted'],
  ['answered', { status: 'Rejected' }, true, 'refused'],
  ['error', { code: 'InternalError' }, true, 'refused'],
  ['timeout', null, true, 'answerLost'],
  ['timeout', null, false, 'notDelivered'],
  ['offline', null, false, 'notDelivered'],
  ['unknown', null, true, 'answerLost'],
] as const)('outcome %s with answer %j, sent: %s, means %s', (status, answer, wasSent, event) => {
  expect(answerEvent({ status, answer, wasSent })).toBe(event);
});

test('the diagram in the docs is drawn from the table', () => {
  const docs = readFileSync(new URL('../../../../docs/charging.md', import.meta.url), 'utf8');
  expect(docs).toContain(stateDiagram('unsent', startTransitions));
});
