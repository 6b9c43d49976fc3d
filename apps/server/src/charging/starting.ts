import type { CommandOutcome } from '../ocpp/commands/command.ts';
import type { Commands } from '../ocpp/commands/service.ts';
import type { PaymentService } from '../payments/service.ts';
import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';
import type { Moves } from './moves.ts';
import type { Operation, OperationStore } from './store.ts';

/** Under this name the gateway tells charging what became of its commands. */
export const outcomeTo = 'charging';

interface Dependencies {
  operations: OperationStore;
  moves: Moves;
  payments: PaymentService;
  commands: Pick<Commands, 'enqueue' | 'isConnected' | 'mayHaveDone'>;
  /** The device's own ConnectionTimeOut, seconds: how long it waits for the plug before it gives up by itself. */
  connectionTimeoutOf: (step: Step, chargePoint: number) => Promise<number>;
  ocppConnectorOf: (step: Step, connector: number) => Promise<number>;
  clock: Clock;
}

const start = 'RemoteStartTransaction';
const secondMs = 1_000;
/** A device that was away when the start was due may just be reconnecting. */
const offlineGraceMs = 20 * secondMs;
/** When we are back ourselves after a crash, all are: devices try again after half a minute and more. */
const returnGraceMs = 60 * secondMs;
/**
 * Delivered, then the socket was lost: it may be charging. Nothing is released before it is back, or before this has passed
 * since the first sending. That moment is kept with the operation, so restarts of ours do not prolong it.
 */
const lostGraceMs = 5 * 60 * secondMs;
/** Back on the line it first tells what it kept meanwhile, one message after the other: its start may be among them. */
const tellsQueueMs = 30 * secondMs;
/** Beyond its own ConnectionTimeOut, because its clock and ours need not agree. */
const afterTimeoutMs = 15 * secondMs;
/** A refused start is tried again soon: the usual cause is a cable that was not quite in. */
const betweenAttemptsMs = 3 * secondMs;
/** No answer at all: the gateway gives up on a command within a minute; this is for a gateway that died. */
const answerLimitMs = 90 * secondMs;

/** From a secured deposit to flowing power, or to everything returned. */
export function createStarting(dependencies: Dependencies) {
  const { operations, moves, payments, commands, connectionTimeoutOf, ocppConnectorOf, clock } = dependencies;
  const later = (ms: number) => new Date(clock.now().getTime() + ms);
  const upSince = clock.now().getTime();
  /** Until then a start that the device may have heard is waited for, whatever happens to the line. */
  const latest = ({ startSentAt }: Operation) => (startSentAt ?? clock.now()).getTime() + lostGraceMs;

  async function sendStart(step: Step, operation: Operation): Promise<void> {
    await operations.change(step, operation.id, {
      start_attempt: operation.attempt + 1,
      start_phase: 'sent',
      start_sent_at: operation.startSentAt ?? clock.now(),
      next_action_at: later(answerLimitMs),
    });
    const connectorId = await ocppConnectorOf(step, operation.connector);
    await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: start,
      payload: { connectorId, idTag: operation.idTag },
      operationId: operation.id,
      outcomeTo,
    });
  }

  /** Nothing came of a start that was delivered. While the device is away it cannot tell: it may be charging. */
  async function notStarted(step: Step, operation: Operation): Promise<void> {
    const why = 'the station did not start in time';
    if (clock.now().getTime() >= latest(operation)) return fail(step, operation, why);
    if (await commands.isConnected(step, operation.chargePoint)) return tryAgainOrFail(step, operation, why);
    const next_action_at = new Date(latest(operation));
    await operations.change(step, operation.id, { start_phase: 'lost', next_action_at });
  }

  async function fail(step: Step, operation: Operation, why: string): Promise<void> {
    const changes = { failure_reason: why, start_phase: null };
    const failed = await moves.move(step, operation, { event: 'startFailed', actor: 'system', why, changes });
    if (failed) await releaseMoney(step, operation.id);
  }

  async function releaseMoney(step: Step, operation: number): Promise<void> {
    const payment = await payments.ofOperation(operation, step.db);
    if (payment) await payments.release(step, payment.id);
  }

  async function tryAgainOrFail(step: Step, operation: Operation, why: string): Promise<void> {
    if (operation.attempt >= operation.mostAttempts) return fail(step, operation, why);
    await operations.note(
      step,
      operation.id,
      'station',
      `attempt ${operation.attempt}/${operation.mostAttempts}: ${why}`,
    );
    await operations.change(step, operation.id, { start_phase: null, next_action_at: later(betweenAttemptsMs) });
  }

  /** It may be waiting for the plug, and gives up by itself when its own time for that is over. */
  async function waitForStart(step: Step, operation: Operation, atMost = Number.POSITIVE_INFINITY): Promise<void> {
    const waits = (await connectionTimeoutOf(step, operation.chargePoint)) * secondMs + afterTimeoutMs;
    const next_action_at = new Date(Math.min(+later(waits), atMost));
    await operations.change(step, operation.id, { start_phase: 'accepted', next_action_at });
  }

  /** One that took an earlier start refuses another when it charges already; its own word of that may be on the way. */
  async function refused(step: Step, operation: Operation, why: string): Promise<void> {
    if (!(await commands.mayHaveDone(step, operation.chargePoint, operation.id, start)))
      // A start that was refused holds nothing: the next one counts its time from its own sending.
      return tryAgainOrFail(step, await operations.change(step, operation.id, { start_sent_at: null }), why);
    await operations.note(step, operation.id, 'station', `${why}; it may be charging already`);
    await operations.change(step, operation.id, { start_phase: 'accepted', next_action_at: later(tellsQueueMs) });
  }

  /** Nobody could send it, or the socket went with it: that is waited out, unless the device is back already. */
  async function waitForDevice(step: Step, operation: Operation, phase: 'offline' | 'lost'): Promise<void> {
    const isOffline = phase === 'offline';
    const until = isOffline ? Math.max(+later(offlineGraceMs), upSince + returnGraceMs) : latest(operation);
    const waiting = await operations.change(step, operation.id, {
      start_phase: phase,
      next_action_at: new Date(until),
      // What was never sent was no attempt.
      ...(isOffline ? { start_attempt: operation.attempt - 1 } : {}),
      ...(isOffline && operation.attempt <= 1 ? { start_sent_at: null } : {}),
    });
    if (await commands.isConnected(step, operation.chargePoint)) await deviceIsBack(step, waiting);
  }

  async function waitForQueue(step: Step, operation: Operation): Promise<void> {
    const { id, nextActionAt } = operation;
    const told = new Date(Math.min(+later(tellsQueueMs), latest(operation) + tellsQueueMs));
    if (nextActionAt === null || nextActionAt < told) await operations.change(step, id, { next_action_at: told });
  }

  /** The device is back: a start that never reached it is sent now; one that did, or may have, is waited for. */
  async function deviceIsBack(step: Step, operation: Operation): Promise<void> {
    if (operation.startPhase === 'lost') return waitForStart(step, operation, latest(operation) + tellsQueueMs);
    if (operation.startPhase === 'accepted') return waitForQueue(step, operation);
    if (operation.startPhase !== 'offline') return;
    await operations.change(step, operation.id, { start_phase: null, next_action_at: clock.now() });
  }

  return {
    releaseMoney,
    deviceIsBack,

    /** Due in `pending`: the first start is sent. */
    async begin(step: Step, operation: Operation): Promise<void> {
      const started = await moves.move(step, operation, {
        event: 'startSent',
        actor: 'system',
        why: 'asked the station to start',
      });
      if (started) await sendStart(step, started);
    },

    /** Due in `starting`: whatever was waited for did not come. */
    async due(step: Step, operation: Operation): Promise<void> {
      switch (operation.startPhase) {
        case null:
          return sendStart(step, operation);
        case 'sent':
        case 'accepted':
          return notStarted(step, operation);
        case 'offline':
          return fail(step, operation, 'the station is offline');
        case 'lost':
          return fail(step, operation, 'the station was lost before it told whether it started');
      }
    },

    /** The device's answer to a start, or the lack of one. Older attempts' answers find the phase moved on and change nothing. */
    async answered(step: Step, operation: Operation, { status, answer, wasSent }: CommandOutcome): Promise<void> {
      if (operation.status !== 'starting' || operation.startPhase !== 'sent') return;
      if (status === 'answered' && answer?.status === 'Accepted') return waitForStart(step, operation);
      if (status === 'offline' || (status === 'timeout' && !wasSent)) return waitForDevice(step, operation, 'offline');
      if (status === 'unknown' || status === 'timeout') return waitForDevice(step, operation, 'lost');
      await refused(step, operation, `the station refused: ${answer?.status ?? answer?.code ?? status}`);
    },

    connectorFaulted: (step: Step, operation: Operation, why: string) => fail(step, operation, why),
  };
}

export type Starting = ReturnType<typeof createStarting>;
