import type { CommandOutcome } from '../ocpp/commands/command.ts';

/** `unsent`: the next RemoteStartTransaction is still to be enqueued. The database keeps it as null. */
export type StartPhase = 'unsent' | 'sent' | 'accepted' | 'offline' | 'lost';

/**
 * The phases of a start while its operation is `starting`. A station that may have heard a start may be charging, so the table has
 * no way from `lost` to another attempt but through `accepted`, where its queue is waited for.
 */
export const startTransitions = {
  unsent: { startSent: 'sent', connectorFaulted: 'failed' },
  sent: {
    accepted: 'accepted',
    mayCharge: 'accepted',
    refused: 'unsent',
    notStarted: 'unsent',
    notDelivered: 'offline',
    answerLost: 'lost',
    disconnected: 'lost',
    attemptsUsed: 'failed',
    timedOut: 'failed',
    connectorFaulted: 'failed',
  },
  accepted: {
    deviceBack: 'accepted',
    notStarted: 'unsent',
    disconnected: 'lost',
    attemptsUsed: 'failed',
    timedOut: 'failed',
    connectorFaulted: 'failed',
  },
  offline: { deviceBack: 'unsent', timedOut: 'failed', connectorFaulted: 'failed' },
  lost: { deviceBack: 'accepted', timedOut: 'failed', connectorFaulted: 'failed' },
} as const satisfies Record<StartPhase, Partial<Record<string, StartPhase | 'failed'>>>;

type EventsOf<Table> = Table extends Record<string, infer Row> ? (Row extends Row ? keyof Row : never) : never;
export type StartEvent = EventsOf<typeof startTransitions>;

/** Null when the event does not apply: an answer to an older attempt finds a later phase and changes nothing. */
export function nextPhase(phase: StartPhase, event: StartEvent): StartPhase | 'failed' | null {
  const allowed: Partial<Record<StartEvent, StartPhase | 'failed'>> = startTransitions[phase];
  return allowed[event] ?? null;
}

type AnswerEvent = 'accepted' | 'refused' | 'notDelivered' | 'answerLost';

/** What the outcome of a RemoteStartTransaction means. Without an answer the question is whether the station may have heard it. */
export function answerEvent({ status, answer, wasSent }: Pick<CommandOutcome, 'status' | 'answer' | 'wasSent'>) {
  const events: Record<CommandOutcome['status'], AnswerEvent> = {
    answered: answer?.status === 'Accepted' ? 'accepted' : 'refused',
    error: 'refused',
    timeout: wasSent ? 'answerLost' : 'notDelivered',
    offline: 'notDelivered',
    unknown: 'answerLost',
  };
  return events[status];
}
