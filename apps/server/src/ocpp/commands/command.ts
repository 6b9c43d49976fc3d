import { triggerTimeoutMs } from '../timings.ts';

/** The state of a command. `unknown`: it may have been sent when its node died, so it may have been executed. */
export type CommandStatus = 'queued' | 'sent' | 'answered' | 'error' | 'timeout' | 'offline' | 'unknown';

export interface CommandOutcome {
  id: number;
  chargePointId: number;
  action: string;
  operationId: number | null;
  status: Exclude<CommandStatus, 'queued' | 'sent'>;
  /** The device's answer as it was received; for an `error`, its code and description. */
  answer: Record<string, unknown> | null;
  /** False when it was certainly never sent. */
  wasSent: boolean;
}

/**
 * Who may receive the outcomes of commands. The gateway does not know the features that enqueue commands: the product declares
 * them by merging into this interface (`seams.ts`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: the product adds the members by declaration merging
export interface OutcomeReceivers {}

export type OutcomeReceiver = keyof OutcomeReceivers;

export interface NewCommand {
  chargePointId: number;
  action: CommandAction;
  payload: object;
  operationId?: number | null;
  /** The staff member who requested it. */
  requestedBy?: number | null;
}

interface CommandPolicy {
  timeoutMs: number;
  /** Sent before commands that are not urgent: a stop must not wait for a list of configuration keys. */
  isUrgent: boolean;
  /**
   * How long it waits for the answer to the command before it until it is sent in parallel. Null when it always waits.
   */
  overtakesAfterMs: number | null;
  /**
   * Sent to a device that has just connected, before its own BootNotification may have arrived, because power flows until
   * then.
   */
  isEarly: boolean;
  /** Not sent while a stop is planned, because it can wait and the device must be free for the stop. */
  isOptional: boolean;
  /**
   * What happens when its node died after sending: it is sent again if a repeat is harmless, otherwise its outcome is
   * unknown.
   */
  afterCrash: 'resend' | 'unknown';
}

const usual: CommandPolicy = {
  timeoutMs: 30_000,
  isUrgent: false,
  overtakesAfterMs: null,
  isEarly: false,
  isOptional: true,
  afterCrash: 'unknown',
};
/** A device that answers at all does so within this time; one that does not must not keep a driver waiting. */
const urgent: CommandPolicy = { ...usual, isUrgent: true, overtakesAfterMs: 2_000, isOptional: false };

/** All commands that we send to devices. Only a command whose repeat is harmless is ever sent twice. */
export const commandPolicies = {
  RemoteStartTransaction: urgent,
  // Power flows until the device receives it.
  RemoteStopTransaction: { ...urgent, overtakesAfterMs: 0, isEarly: true, afterCrash: 'resend' },
  UnlockConnector: urgent,
  ChangeAvailability: { ...usual, afterCrash: 'resend' },
  ChangeConfiguration: { ...usual, afterCrash: 'resend' },
  GetConfiguration: { ...usual, afterCrash: 'resend' },
  // Not optional, because the stop depends on the reading that it triggers. The timeout is short, because a later
  // answer would come after the stop.
  TriggerMessage: { ...usual, timeoutMs: triggerTimeoutMs, isEarly: true, isOptional: false },
  ClearCache: { ...usual, afterCrash: 'resend' },
  Reset: usual,
  // A second request would begin the upload or the download again.
  GetDiagnostics: usual,
  UpdateFirmware: usual,
  // The limit guard sends these near a planned stop only when the device would cut the power before it.
  SetChargingProfile: { ...usual, isOptional: false, afterCrash: 'resend' },
  ClearChargingProfile: { ...usual, isOptional: false, afterCrash: 'resend' },
  DataTransfer: usual,
} as const satisfies Record<string, CommandPolicy>;

export type CommandAction = keyof typeof commandPolicies;

export function policyOf(action: string): CommandPolicy {
  return (commandPolicies as Record<string, CommandPolicy>)[action] ?? usual;
}

/**
 * How long a command may wait behind others, and how long a command whose node died waits for the device to reconnect.
 */
export const longestWaitMs = 60_000;
/** Added to the command's own timeout, because the node that sent it writes the outcome unless it died. */
export const answerMarginMs = 5_000;

export interface CommandFacts {
  status: CommandStatus;
  action: string;
  attempts: number;
  createdAt: number;
  sentAt: number | null;
  now: number;
  /** A live node holds the device's socket; and it is the same connection on which the command was sent. */
  isHeld: boolean;
  isSameConnection: boolean;
  /** The device is still on the connection that it had when the command was made. */
  isOwnEpoch: boolean;
}

export type Verdict = 'wait' | 'queueAgain' | 'offline' | 'timeout' | 'unknown' | 'done';

/** Decides about a command that no node has finished in time. */
export function verdictOn(facts: CommandFacts): Verdict {
  if (facts.status === 'queued') {
    // A command that was not sent is never stored for a later connection, because by then it may be wrong.
    if (facts.attempts === 0 && !facts.isOwnEpoch) return 'offline';
    const isLate = facts.now - facts.createdAt > longestWaitMs;
    // One that was sent before waits for the device to reconnect.
    if (!facts.isHeld) return isLate ? 'offline' : 'wait';
    return isLate ? 'timeout' : 'wait';
  }
  if (facts.status !== 'sent') return 'done';
  const isOverdue = facts.now - (facts.sentAt ?? 0) > policyOf(facts.action).timeoutMs + answerMarginMs;
  if (facts.isSameConnection && !isOverdue) return 'wait';
  if (facts.isSameConnection) return 'unknown';
  return policyOf(facts.action).afterCrash === 'resend' ? 'queueAgain' : 'unknown';
}
