import type { AttemptCause } from '@fpay/contract/admin/network/attempts';
import type { Updateable } from 'kysely';
import type { CommandOutcome } from '../../ocpp/commands/command.ts';
import type { Commands } from '../../ocpp/commands/service.ts';
import type { PaymentService } from '../../payments/service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Operations as Row } from '../../platform/generated/database.ts';
import type { Step } from '../../platform/step.ts';
import { reportedStatusOf } from '../../stations/connectors.ts';
import type { Notify } from '../notify.ts';
import { answerEvent, nextPhase, type StartEvent, type StartPhase } from '../start-phase.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import type { SiteRoom } from './site-room.ts';
import type { Transitions } from './transition.ts';

interface Dependencies {
  operations: OperationStore;
  transitions: Transitions;
  payments: PaymentService;
  commands: Pick<Commands, 'enqueue' | 'isConnected' | 'mayHaveDone'>;
  /** The device's own ConnectionTimeOut in seconds: how long it waits for the plug before it gives up by itself. */
  connectionTimeoutOf: (step: Step, chargePoint: number) => Promise<number>;
  ocppConnectorOf: (step: Step, connector: number) => Promise<number>;
  siteRoom: Pick<SiteRoom, 'mayBegin' | 'changed'>;
  /** Informs the driver, once per operation. */
  notify: Notify;
  clock: Clock;
}

interface Failure {
  cause: AttemptCause;
  why: string;
}

type PhaseSteps = Record<StartPhase, (step: Step, operation: StoredOperation) => Promise<void>>;

const start = 'RemoteStartTransaction';
const secondMs = 1_000;
/** A device that was away when the start was due may be reconnecting at that moment. */
const offlineGraceMs = 20 * secondMs;
/** After a crash of our own all devices reconnect; they retry after half a minute and more. */
const returnGraceMs = 60 * secondMs;
/**
 * The start was delivered, then the socket was lost: the device may be charging. Nothing is released before it
 * reconnects, or before this time has passed since the first sending. That time is stored with the operation, so our
 * restarts do not prolong it.
 */
const lostGraceMs = 5 * 60 * secondMs;
/** After a reconnect a charge point first sends its queued messages one by one; StartTransaction may be one of them. */
const queueReplayMs = 30 * secondMs;
/** Added to its own ConnectionTimeOut, because its clock and ours may differ. */
const afterTimeoutMs = 15 * secondMs;
/** A refused start is retried soon, because the usual cause is a cable that was not fully plugged in. */
const betweenAttemptsMs = 3 * secondMs;
/** For a gateway that died: a live gateway gives up on a command within a minute. */
const answerLimitMs = 90 * secondMs;

/** Other cars of the site lower their power within seconds; a start waits for that no longer than this. */
const roomWithinMs = 30 * secondMs;
const betweenLooksMs = secondMs;

/** From a secured deposit to flowing power, or to everything returned. */
export function createStarting(dependencies: Dependencies) {
  const { operations, transitions, payments, commands, connectionTimeoutOf, ocppConnectorOf, clock } = dependencies;
  const { siteRoom, notify } = dependencies;
  const later = (ms: number) => new Date(clock.now().getTime() + ms);
  const upSince = clock.now().getTime();
  /** Until then the server waits for a start that the device may have received, whatever happens to the connection. */
  const latest = ({ startSentAt }: StoredOperation) => (startSentAt ?? clock.now()).getTime() + lostGraceMs;

  /** Moves the start along its table. Null when the event does not apply in this phase; then nothing changes. */
  async function advance(
    step: Step,
    operation: StoredOperation,
    event: StartEvent,
    changes: Updateable<Row>,
  ): Promise<StoredOperation | null> {
    const phase = nextPhase(operation.startPhase, event);
    if (phase === null || phase === 'failed') return null;
    return operations.change(step, operation.id, { start_phase: phase === 'unsent' ? null : phase, ...changes });
  }

  /** Asked before every RemoteStart: since the payment the limit may have fallen, or a device may obey no more. */
  async function hasRoom(step: Step, operation: StoredOperation): Promise<boolean> {
    const { id, connector, user, statusAt } = operation;
    const room = await siteRoom.mayBegin(step, { connector, operation: id, user });
    if (room === 'yes') return true;
    siteRoom.changed(step, connector);
    if (room === 'wait' && clock.now().getTime() - statusAt.getTime() < roomWithinMs) {
      await operations.change(step, id, { next_action_at: later(betweenLooksMs) });
      return false;
    }
    const why = 'the site has no power left';
    const changes = { stop_requested_at: clock.now(), stop_cause: 'site_full', failure_reason: why, start_phase: null };
    const canceled = await transitions.move(step, operation, { event: 'withdrawn', actor: 'site', why, changes });
    if (canceled) await releaseMoney(step, id);
    await notify(step, operation.user, 'site_full', { operation: id });
    return false;
  }

  async function sendStart(step: Step, operation: StoredOperation): Promise<void> {
    const sent = await advance(step, operation, 'startSent', {
      start_attempt: operation.attempt + 1,
      start_sent_at: operation.startSentAt ?? clock.now(),
      next_action_at: later(answerLimitMs),
    });
    if (!sent) return;
    const connectorId = await ocppConnectorOf(step, operation.connector);
    await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: start,
      payload: { connectorId, idTag: operation.idTag },
      operationId: operation.id,
      outcomeTo: 'charging',
    });
  }

  /** A start that was delivered had no effect. While the device is away it cannot report; it may be charging. */
  async function notStarted(step: Step, operation: StoredOperation): Promise<void> {
    const why = 'the station did not start in time';
    if (clock.now().getTime() >= latest(operation))
      return fail(step, operation, 'timedOut', { cause: await causeOfNoStart(step, operation), why });
    if (await commands.isConnected(step, operation.chargePoint)) {
      const cause = await causeOfNoStart(step, operation);
      return tryAgainOrFail(step, operation, 'notStarted', { cause, why });
    }
    await advance(step, operation, 'disconnected', { next_action_at: new Date(latest(operation)) });
  }

  /** The connector has had no car since the start was sent, or the car was there and nothing began. */
  async function causeOfNoStart(step: Step, { connector, startSentAt }: StoredOperation): Promise<AttemptCause> {
    const { status, statusAt } = await reportedStatusOf(step, connector);
    const isFreeSince = status === 'Available' && (statusAt ?? new Date(0)) <= (startSentAt ?? clock.now());
    return isFreeSince ? 'no_plug' : 'no_start';
  }

  async function fail(step: Step, operation: StoredOperation, startEvent: StartEvent, { cause, why }: Failure) {
    if (nextPhase(operation.startPhase, startEvent) !== 'failed') return;
    const changes = { failure_reason: why, failure_cause: cause, start_phase: null };
    const failed = await transitions.move(step, operation, { event: 'startFailed', actor: 'system', why, changes });
    if (failed) await releaseMoney(step, operation.id);
  }

  async function releaseMoney(step: Step, operation: number): Promise<void> {
    const payment = await payments.ofOperation(operation, step.db);
    if (payment) await payments.release(step, payment.id);
  }

  async function tryAgainOrFail(
    step: Step,
    operation: StoredOperation,
    event: 'refused' | 'notStarted',
    failure: Failure,
  ): Promise<void> {
    if (operation.attempt >= operation.mostAttempts) return fail(step, operation, 'attemptsUsed', failure);
    await operations.note(
      step,
      operation.id,
      'station',
      `attempt ${operation.attempt}/${operation.mostAttempts}: ${failure.why}`,
    );
    await advance(step, operation, event, { next_action_at: later(betweenAttemptsMs) });
  }

  /** It may be waiting for the plug, and gives up by itself after its own ConnectionTimeOut. */
  async function waitForStart(
    step: Step,
    operation: StoredOperation,
    event: 'accepted' | 'deviceBack',
    atMost = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const waits = (await connectionTimeoutOf(step, operation.chargePoint)) * secondMs + afterTimeoutMs;
    const next_action_at = new Date(Math.min(+later(waits), atMost));
    await advance(step, operation, event, { next_action_at });
  }

  /**
   * A device that accepted an earlier start refuses another when it charges already; its report of that may be on the
   * way.
   */
  async function refused(step: Step, operation: StoredOperation, why: string): Promise<void> {
    if (!(await commands.mayHaveDone(step, operation.chargePoint, operation.id, start)))
      // A refused start reserves nothing, so the next one counts its time from its own sending.
      return tryAgainOrFail(step, await operations.change(step, operation.id, { start_sent_at: null }), 'refused', {
        cause: 'refused',
        why,
      });
    await operations.note(step, operation.id, 'station', `${why}; it may be charging already`);
    await advance(step, operation, 'mayCharge', { next_action_at: later(queueReplayMs) });
  }

  /**
   * It could not be sent, or the socket closed with it. The step waits for the device, unless it has reconnected
   * already.
   */
  async function waitForDevice(
    step: Step,
    operation: StoredOperation,
    event: 'notDelivered' | 'answerLost',
  ): Promise<void> {
    const isOffline = event === 'notDelivered';
    const until = isOffline ? Math.max(+later(offlineGraceMs), upSince + returnGraceMs) : latest(operation);
    const waiting = await advance(step, operation, event, {
      next_action_at: new Date(until),
      // A start that was never sent does not count as an attempt.
      ...(isOffline ? { start_attempt: operation.attempt - 1 } : {}),
      ...(isOffline && operation.attempt <= 1 ? { start_sent_at: null } : {}),
    });
    if (waiting && (await commands.isConnected(step, operation.chargePoint))) await deviceIsBack(step, waiting);
  }

  async function waitForQueue(step: Step, operation: StoredOperation): Promise<void> {
    const { nextActionAt } = operation;
    const replayed = new Date(Math.min(+later(queueReplayMs), latest(operation) + queueReplayMs));
    if (nextActionAt === null || nextActionAt < replayed) {
      await advance(step, operation, 'deviceBack', { next_action_at: replayed });
    }
  }

  /**
   * The device has reconnected: a start that never reached it is sent now; for one that did, or may have, the server
   * waits.
   */
  const onReturn = {
    unsent: async () => {},
    sent: async () => {},
    accepted: waitForQueue,
    offline: async (step, operation) =>
      void (await advance(step, operation, 'deviceBack', { next_action_at: clock.now() })),
    lost: (step, operation) => waitForStart(step, operation, 'deviceBack', latest(operation) + queueReplayMs),
  } satisfies PhaseSteps;
  const deviceIsBack = (step: Step, operation: StoredOperation) => onReturn[operation.startPhase](step, operation);

  /** What the operation waited for in this phase did not come. */
  const whenDue = {
    unsent: async (step, operation) => {
      if (await hasRoom(step, operation)) await sendStart(step, operation);
    },
    sent: notStarted,
    accepted: notStarted,
    offline: (step, operation) =>
      fail(step, operation, 'timedOut', { cause: 'never_delivered', why: 'the station is offline' }),
    lost: (step, operation) =>
      fail(step, operation, 'timedOut', {
        cause: 'answer_lost',
        why: 'the station was lost before it reported whether it started',
      }),
  } satisfies PhaseSteps;

  return {
    releaseMoney,
    deviceIsBack,

    /** Due in `pending`: the first start is sent. */
    async begin(step: Step, operation: StoredOperation): Promise<void> {
      if (!(await hasRoom(step, operation))) return;
      const started = await transitions.move(step, operation, {
        event: 'startSent',
        actor: 'system',
        why: 'asked the station to start',
      });
      if (started) await sendStart(step, started);
    },

    /** Due in `starting`: what the operation waited for did not come. */
    due: (step: Step, operation: StoredOperation): Promise<void> => whenDue[operation.startPhase](step, operation),

    /**
     * The device's answer to a start, or the lack of one. Answers to older attempts find a later phase and change
     * nothing.
     */
    async answered(step: Step, operation: StoredOperation, outcome: CommandOutcome): Promise<void> {
      if (operation.status !== 'starting' || operation.startPhase !== 'sent') return;
      const event = answerEvent(outcome);
      if (event === 'accepted') return waitForStart(step, operation, event);
      if (event !== 'refused') return waitForDevice(step, operation, event);
      const { answer, status } = outcome;
      await refused(step, operation, `the station refused: ${answer?.status ?? answer?.code ?? status}`);
    },

    connectorFaulted: (step: Step, operation: StoredOperation, why: string) =>
      fail(step, operation, 'connectorFaulted', { cause: 'fault_before', why }),
  };
}

export type Starting = ReturnType<typeof createStarting>;
