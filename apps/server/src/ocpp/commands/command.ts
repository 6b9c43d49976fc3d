import { triggerTimeoutMs } from '../timings.ts';

/** What became of a command. `unknown`: it may have been sent when its node died, so it may have been done. */
export type CommandStatus = 'queued' | 'sent' | 'answered' | 'error' | 'timeout' | 'offline' | 'unknown';

export interface CommandOutcome {
  id: number;
  chargePointId: number;
  action: string;
  operationId: number | null;
  status: Exclude<CommandStatus, 'queued' | 'sent'>;
  /** The device's answer as it came; of an `error`, its code and description. */
  answer: Record<string, unknown> | null;
  /** False: it certainly never left. */
  wasSent: boolean;
}

export interface NewCommand {
  chargePointId: number;
  action: CommandAction;
  payload: object;
  operationId?: number | null;
  /** The staff member who asked for it. */
  requestedBy?: number | null;
}

interface Manner {
  timeoutMs: number;
  /** Before all that is not: a stop must not wait for a list of configuration keys. */
  isUrgent: boolean;
  /** How long it waits for the answer to the command before it, until it is sent beside that one. Null: it waits its turn. */
  overtakesAfterMs: number | null;
  /** Not sent while a stop is planned: it can wait, and the device is to have its hands free. */
  isOptional: boolean;
  /** When its node died after sending: doing it twice does no harm, or nobody may know whether it was done. */
  afterCrash: 'resend' | 'unknown';
}

const usual: Manner = {
  timeoutMs: 30_000,
  isUrgent: false,
  overtakesAfterMs: null,
  isOptional: true,
  afterCrash: 'unknown',
};
/** A device that answers at all does so in this time; one that does not must not keep a driver waiting. */
const urgent: Manner = { ...usual, isUrgent: true, overtakesAfterMs: 2_000, isOptional: false };

/** Everything we may ask of a device. Only what is the same when done twice is ever sent twice. */
export const manners = {
  RemoteStartTransaction: urgent,
  // Power flows on until it is heard.
  RemoteStopTransaction: { ...urgent, overtakesAfterMs: 0, afterCrash: 'resend' },
  UnlockConnector: urgent,
  ChangeAvailability: { ...usual, afterCrash: 'resend' },
  ChangeConfiguration: { ...usual, afterCrash: 'resend' },
  GetConfiguration: { ...usual, afterCrash: 'resend' },
  // What it triggers decides the stop, so it is not optional; a later answer would come after it.
  TriggerMessage: { ...usual, timeoutMs: triggerTimeoutMs, isOptional: false },
  ClearCache: { ...usual, afterCrash: 'resend' },
  Reset: usual,
  // The limit guard sends these near a planned stop only when the device would cut the power before it.
  SetChargingProfile: { ...usual, isOptional: false, afterCrash: 'resend' },
  ClearChargingProfile: { ...usual, isOptional: false, afterCrash: 'resend' },
  DataTransfer: usual,
} as const satisfies Record<string, Manner>;

export type CommandAction = keyof typeof manners;

export function mannerOf(action: string): Manner {
  return (manners as Record<string, Manner>)[action] ?? usual;
}

/** How long a command may wait for its turn behind others, and one that went down with its node for the device's return. */
export const longestWaitMs = 60_000;
/** Past its own timeout: the node that sent it writes the outcome itself unless it died. */
export const answerMarginMs = 5_000;

export interface CommandFacts {
  status: CommandStatus;
  action: string;
  attempts: number;
  createdAt: number;
  sentAt: number | null;
  now: number;
  /** Someone alive holds the device's socket; and it is the very connection the command was sent on. */
  isHeld: boolean;
  isSameConnection: boolean;
}

export type Verdict = 'wait' | 'queueAgain' | 'offline' | 'timeout' | 'unknown' | 'done';

/** What is to be done about a command that was looked at because nobody had finished it. */
export function verdictOn(facts: CommandFacts): Verdict {
  if (facts.status === 'queued') {
    if (facts.isHeld) return facts.now - facts.createdAt > longestWaitMs ? 'timeout' : 'wait';
    // One that was sent before waits for the device to come back; a new one is never kept for later.
    return facts.attempts > 0 && facts.now - facts.createdAt <= longestWaitMs ? 'wait' : 'offline';
  }
  if (facts.status !== 'sent') return 'done';
  const isOverdue = facts.now - (facts.sentAt ?? 0) > mannerOf(facts.action).timeoutMs + answerMarginMs;
  if (facts.isSameConnection && !isOverdue) return 'wait';
  if (facts.isSameConnection) return 'unknown';
  return mannerOf(facts.action).afterCrash === 'resend' ? 'queueAgain' : 'unknown';
}
