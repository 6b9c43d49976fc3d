import { expect, test } from 'vitest';
import { mayWaitForUnplug, whyWaitIsOver } from './after-end.ts';

const at = (time: string) => new Date(`2026-11-17T${time}Z`);
const usual = {
  now: at('10:00:00'),
  phase: 'ended' as const,
  endedAt: at('09:50:00'),
  hasEnergy: true,
  hasPower: false,
  status: 'Finishing' as string | null,
  statusAt: at('09:50:01'),
  connectedAt: at('08:00:00') as Date | null,
  lostAt: at('07:59:00'),
  silenceMs: 90_000,
  lastIdleAt: at('09:59:55') as Date | null,
};

test.each([
  ['Local', 'Charging', true],
  ['Remote', 'SuspendedEV', true],
  ['Local', 'Finishing', true],
  ['Other', 'SuspendedEVSE', true],
  // The cable is out, or the driver cannot know where it is.
  ['EVDisconnected', 'Finishing', false],
  ['EmergencyStop', 'Finishing', false],
  ['PowerLoss', 'Charging', false],
  ['Reboot', 'Charging', false],
  ['UnlockCommand', 'Finishing', false],
  ['Local', 'Available', false],
  ['Local', 'Preparing', false],
  ['Local', 'Faulted', false],
  ['Local', 'Unavailable', false],
  ['Local', null, false],
])('a charge that ended by %s at a connector that is %s waits for the plug: %s', (reason, status, waits) => {
  expect(mayWaitForUnplug({ reason, status })).toBe(waits);
});

test.each<[string, Partial<typeof usual>, string | null]>([
  ['the cable is in', {}, null],
  ['the cable is out', { status: 'Available' }, 'the connector is Available'],
  ['another driver prepares', { status: 'Preparing' }, 'the connector is Preparing'],
  ['a fault', { status: 'Faulted' }, 'the connector is Faulted'],
  ['no status', { status: null }, 'the connector is unknown'],
  ['the status has not arrived yet', { status: 'Charging', now: at('09:50:30') }, null],
  ['the status never arrives', { status: 'Charging' }, 'the station does not report the cable'],
  ['away for a moment', { connectedAt: null, lostAt: at('09:58:00') }, null],
  ['away for long', { connectedAt: null, lastIdleAt: null, now: at('10:06:00') }, 'the station stayed away'],
  ['away since the last look', { connectedAt: null, now: at('10:10:00') }, null],
  ['for a day', { now: new Date('2026-11-18T09:50:00Z') }, 'a day has passed since the end'],
])('the wait for the plug: %s', (_what, facts, why) => {
  expect(whyWaitIsOver({ ...usual, ...facts })).toBe(why);
});
