import { expect, test } from 'vitest';
import { type IdleFacts, type IdleInterval, idleCauseOf, idleSecondsOf, observeIdle } from './observed-time.ts';

const at = (time: string) => new Date(`2026-11-17T${time}Z`);
const full = (from: string, to: string): IdleInterval => ({ cause: 'full', beganAt: at(from), seenAt: at(to) });
const plugged = (from: string, to: string): IdleInterval => ({ ...full(from, to), cause: 'plugged_in' });
const usual: IdleFacts = {
  now: at('10:00:00'),
  phase: 'charging',
  endedAt: null,
  hasEnergy: true,
  hasPower: false,
  status: 'SuspendedEV',
  statusAt: at('09:50:00'),
  connectedAt: at('08:00:00'),
  lostAt: at('07:59:00'),
  silenceMs: 90_000,
};
const ended = { phase: 'ended', endedAt: at('09:55:00'), status: 'Finishing', statusAt: at('09:55:01') } as const;

test.each<[string, Partial<IdleFacts>, string | null]>([
  ['a full car', {}, 'full'],
  ['a car that has not taken any energy yet', { hasEnergy: false }, null],
  ['a device that reports a full car while power flows', { hasPower: true }, null],
  ['the station holds the power back', { status: 'SuspendedEVSE' }, null],
  ['a charge', { status: 'Charging' }, null],
  ['the end is reported, the transaction is open', { status: 'Finishing' }, null],
  ['ended, the cable is in', ended, 'plugged_in'],
  ['ended, the car still full', { ...ended, status: 'SuspendedEV' }, null],
  ['ended, the cable is out', { ...ended, status: 'Available' }, null],
  ['ended, faulted', { ...ended, status: 'Faulted' }, null],
  ['no status', { status: null }, null],
])('the cause of idle time: %s', (_what, facts, cause) => {
  expect(idleCauseOf({ ...usual, ...facts })).toBe(cause);
});

test.each<
  [string, Partial<IdleFacts>, IdleInterval | null, { closed: IdleInterval | null; open: IdleInterval | null }]
>([
  ['begins with the status', { statusAt: at('09:59:58') }, null, { closed: null, open: full('09:59:58', '10:00:00') }],
  ['goes on', {}, full('09:50:00', '09:59:55'), { closed: null, open: full('09:50:00', '10:00:00') }],
  [
    'a look at the same moment changes nothing',
    {},
    full('09:50:00', '10:00:00'),
    { closed: null, open: full('09:50:00', '10:00:00') },
  ],
  [
    'power flows again: it ends with the last look',
    { status: 'Charging', statusAt: at('09:59:57') },
    full('09:50:00', '09:59:55'),
    { closed: full('09:50:00', '09:59:55'), open: null },
  ],
  [
    'full, charged and full again between two looks: the time between does not count',
    { statusAt: at('09:59:59') },
    full('09:50:00', '09:59:55'),
    { closed: full('09:50:00', '09:59:55'), open: full('09:59:59', '10:00:00') },
  ],
  [
    'not looked at for longer than a minute, at most the last minute counts',
    {},
    null,
    { closed: null, open: full('09:59:00', '10:00:00') },
  ],
  [
    'the server was down for ten minutes: they do not count',
    {},
    full('09:40:00', '09:49:00'),
    { closed: full('09:40:00', '09:49:00'), open: full('09:59:00', '10:00:00') },
  ],
  [
    'the device is away: it ends with its last frame',
    { connectedAt: null, lostAt: at('09:58:40') },
    full('09:50:00', '09:59:55'),
    { closed: full('09:50:00', '09:58:40'), open: null },
  ],
  [
    'the device was silent from the beginning',
    { connectedAt: null, lostAt: at('09:49:00') },
    full('09:50:00', '09:59:55'),
    { closed: full('09:50:00', '09:50:00'), open: null },
  ],
  [
    'the device is back: its old status waits until it could correct it',
    { connectedAt: at('09:59:45'), lostAt: at('09:58:40') },
    full('09:50:00', '09:59:40'),
    { closed: full('09:50:00', '09:58:40'), open: null },
  ],
  [
    'the device is back for half a minute: it counts from there',
    { connectedAt: at('09:59:20'), lostAt: at('09:58:40') },
    null,
    { closed: null, open: full('09:59:50', '10:00:00') },
  ],
  [
    'the device reports the status after its return: it counts at once',
    { connectedAt: at('09:59:45'), lostAt: at('09:58:40'), statusAt: at('09:59:50') },
    null,
    { closed: null, open: full('09:59:50', '10:00:00') },
  ],
  [
    'a socket was replaced while it looked alive: it may have been dead for as long as silence is allowed',
    { connectedAt: at('09:59:58'), lostAt: at('09:59:58') },
    full('09:50:00', '09:59:55'),
    { closed: full('09:50:00', '09:58:28'), open: null },
  ],
  [
    'the node died without a trace',
    { connectedAt: null, lostAt: null },
    full('09:50:00', '09:59:55'),
    { closed: full('09:50:00', '09:58:25'), open: null },
  ],
  [
    'full, then the charge ended with the cable in',
    { ...ended, now: at('09:55:05') },
    full('09:50:00', '09:55:00'),
    { closed: full('09:50:00', '09:55:00'), open: plugged('09:55:01', '09:55:05') },
  ],
  [
    'the end was reported before StopTransaction: it counts from StopTransaction',
    { ...ended, now: at('09:55:05'), statusAt: at('09:54:50') },
    null,
    { closed: null, open: plugged('09:55:00', '09:55:05') },
  ],
  [
    'the clock went back',
    { now: at('09:59:00') },
    full('09:50:00', '09:59:55'),
    { closed: null, open: full('09:50:00', '09:59:55') },
  ],
])('observed idle time: %s', (_what, facts, before, after) => {
  expect(observeIdle({ ...usual, ...facts }, before)).toEqual(after);
});

test.each<[string, IdleInterval[], string | null, number]>([
  ['none', [], null, 0],
  ['one', [full('09:00:00', '09:05:30')], null, 330],
  ['two with a pause', [full('09:00:00', '09:05:00'), plugged('09:10:00', '09:11:00')], null, 360],
  ['two that overlap count once', [full('09:00:00', '09:05:00'), plugged('09:04:00', '09:06:00')], null, 360],
  ['in any order', [plugged('09:10:00', '09:11:00'), full('09:00:00', '09:05:00')], null, 360],
  ['only until a moment', [full('09:00:00', '09:05:00'), plugged('09:10:00', '09:11:00')], '09:10:30', 330],
  ['until a moment before all of them', [full('09:00:00', '09:05:00')], '08:00:00', 0],
  ['without length', [full('09:00:00', '09:00:00')], null, 0],
])('seconds of intervals: %s', (_what, intervals, until, seconds) => {
  expect(idleSecondsOf(intervals, until === null ? null : at(until))).toBe(seconds);
});
