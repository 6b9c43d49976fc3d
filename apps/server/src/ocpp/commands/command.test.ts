import { expect, test } from 'vitest';
import { type CommandFacts, type Verdict, verdictOn } from './command.ts';

const now = 1_000_000;
const facts = (more: Partial<CommandFacts>): CommandFacts => ({
  status: 'queued',
  action: 'RemoteStartTransaction',
  attempts: 0,
  createdAt: now - 2_000,
  sentAt: null,
  now,
  isHeld: true,
  isSameConnection: false,
  isOwnEpoch: true,
  ...more,
});
const sent = { status: 'sent', attempts: 1, sentAt: now - 2_000 } as const;
const stop = { action: 'RemoteStopTransaction' } as const;

test.each<[string, Partial<CommandFacts>, Verdict]>([
  ['queued behind another', {}, 'wait'],
  ['queued for a minute', { createdAt: now - 61_000 }, 'timeout'],
  ['queued, and the holder died before sending', { isHeld: false, isOwnEpoch: false }, 'offline'],
  ['queued, and the device reconnected before it was sent', { isOwnEpoch: false }, 'offline'],
  ['a stop that was sent, and the device reconnected', { ...stop, attempts: 1, isOwnEpoch: false }, 'wait'],
  ['sent, and its holder lives', { ...sent, isSameConnection: true }, 'wait'],
  [
    'sent, its holder lives but never wrote the answer',
    { ...sent, isSameConnection: true, sentAt: now - 36_000 },
    'unknown',
  ],
  ['a start sent by a node that died', { ...sent, isHeld: false }, 'unknown'],
  ['a start sent on an earlier connection', sent, 'unknown'],
  ['a stop sent by a node that died', { ...sent, ...stop, isHeld: false }, 'queueAgain'],
  ['a stop sent on an earlier connection', { ...sent, ...stop }, 'queueAgain'],
  ['a stop that waits for the device to come back', { ...stop, attempts: 1, isHeld: false }, 'wait'],
  ['a stop whose device stays away', { ...stop, attempts: 1, isHeld: false, createdAt: now - 61_000 }, 'offline'],
  ['answered', { status: 'answered', attempts: 1 }, 'done'],
])('%s', (_name, more, verdict) => expect(verdictOn(facts(more))).toBe(verdict));
