import { CallFailed, type Message, v16 } from '@fpay/ocpp';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { createBatch } from '../../platform/rows/batch.ts';
import type { Steps } from '../../platform/step.ts';
import { type Tracing, traceOperation } from '../../platform/watching/tracing.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { Timings } from '../timings.ts';
import { type CommandOutcome, commandPolicies, longestWaitMs, policyOf } from './command.ts';
import type { CommandRow, CommandStore } from './store.ts';
import { noteTrigger, triggerSupportOf } from './triggers.ts';

interface Dependencies {
  store: CommandStore;
  steps: Steps;
  clock: Clock;
  log: Logger;
  nodeId: string;
  timings: Timings;
  tracing: Tracing;
  connectionOf(chargePointId: number): DeviceConnection | undefined;
}

const actionsThat = (are: (policy: (typeof commandPolicies)[keyof typeof commandPolicies]) => boolean) =>
  Object.entries(commandPolicies).flatMap(([action, policy]) => (are(policy) ? [action] : []));
const urgent = actionsThat(({ isUrgent }) => isUrgent);
const optional = actionsThat(({ isOptional }) => isOptional);
const early = actionsThat(({ isEarly }) => isEarly);

/** A device that closes the socket this often because of an early command gets no more of them from this node. */
const mostClosed = 2;

const messages: Record<string, Message> = v16 satisfies Record<string, Message>;

/**
 * Sends the commands of this node's sockets, one at a time for each device, in their order. Urgent ones are sent first,
 * also in parallel to an open one.
 */
export function createSender({ store, steps, clock, log, nodeId, timings, tracing, connectionOf }: Dependencies) {
  const busy = new Map<DeviceConnection, Promise<void>>();
  const again = new Set<DeviceConnection>();
  /** Commands that were sent in parallel to an open one. */
  const beside = new Set<Promise<void>>();
  /** How often in a row a device closed the socket with an early command. */
  const closedEarly = new Map<number, number>();

  async function work(connection: DeviceConnection): Promise<void> {
    do {
      again.delete(connection);
      for (;;) {
        const command = await take(connection, null);
        if (!command) break;
        await carryOut(connection, command);
      }
    } while (again.has(connection));
  }

  /** Urgent commands do not wait until the open command is answered. */
  async function overtake(connection: DeviceConnection): Promise<void> {
    for (let command = await take(connection, 'urgent'); command; command = await take(connection, 'urgent')) {
      track(connection, carryOut(connection, command));
    }
  }

  /** Before the device is ready. It may ignore them, or close the socket; then they are sent again when it is. */
  async function sendEarly(connection: DeviceConnection): Promise<void> {
    if ((closedEarly.get(connection.chargePointId) ?? 0) >= mostClosed) return;
    for (let command = await take(connection, 'early'); command; command = await take(connection, 'early')) {
      track(connection, carryOut(connection, command));
    }
  }

  async function take(connection: DeviceConnection, only: 'urgent' | 'early' | null): Promise<CommandRow | null> {
    const { chargePointId, epoch, isVoid, link } = connection;
    if (isVoid || !link.isOpen) return null;
    return store.takeNext(chargePointId, { nodeId, epoch }, { urgent, optional, early, only }, clock.now());
  }

  function carryOut(connection: DeviceConnection, command: CommandRow): Promise<void> {
    const { action, operationId } = command;
    const attributes = { 'ocpp.action': action, 'fpay.charge_point': connection.identity };
    return tracing.unit({ name: `OCPP ${action}`, kind: 'client', attributes }, () => {
      if (operationId !== null) traceOperation(operationId);
      return sendAndRecord(connection, command);
    });
  }

  async function sendAndRecord(connection: DeviceConnection, command: CommandRow): Promise<void> {
    const { chargePointId, epoch } = connection;
    const isEarly = !connection.isReady;
    const { status, answer } = await send(connection, command, isEarly);
    const ours = { id: command.id, nodeId, epoch };
    if (status === 'queued') {
      await store.queueAgain(ours);
      // The device may have become ready before this attempt ended.
      if (isEarly) wake(chargePointId);
    } else {
      await steps.run(async (step) => {
        await store.finish(step, ours, status, answer, clock.now());
        // A device that has not booted yet may ignore it.
        if (command.action === 'TriggerMessage' && !(isEarly && status === 'timeout'))
          await noteTrigger(step.db, chargePointId, triggerSupportOf(status, answer));
      });
    }
  }

  function track(connection: DeviceConnection, task: Promise<void>): void {
    const tracked: Promise<void> = task
      // The rows are still in the table, and due work takes them again.
      .catch((error: unknown) => log.warn({ err: error, chargePoint: connection.identity }, 'commands delayed'))
      .finally(() => beside.delete(tracked));
    beside.add(tracked);
  }

  async function send(
    { link, identity, chargePointId }: DeviceConnection,
    { id, action, payload }: CommandRow,
    isEarly: boolean,
  ): Promise<{ status: CommandOutcome['status'] | 'queued'; answer: object | null }> {
    const message = messages[action];
    if (!message) return { status: 'error', answer: { description: `${action} is no command`, wasSent: false } };
    const { timeoutMs, isUrgent, overtakesAfterMs, afterCrash } = policyOf(action);
    const options = {
      timeoutMs: isEarly ? Math.min(timeoutMs, timings.quietMs) : timeoutMs,
      isUrgent,
      queueWaitMs: longestWaitMs,
    };
    try {
      const answer = await link.call(
        message,
        payload as never,
        overtakesAfterMs === null ? options : { ...options, overtakesAfterMs },
      );
      closedEarly.delete(chargePointId);
      return { status: 'answered', answer: answer as object };
    } catch (error) {
      if (!(error instanceof CallFailed)) {
        log.error({ err: error, command: id, action, chargePoint: identity }, 'command failed');
        return { status: 'error', answer: { description: 'not of the standard', wasSent: false } };
      }
      const { wasSent, code, failure, message: description } = error;
      const answer = { wasSent, failure, ...(code === null ? {} : { code }), description };
      if (failure === 'refused' || failure === 'unreadable') return { status: 'error', answer };
      if (failure === 'closed') {
        if (isEarly) closedEarly.set(chargePointId, (closedEarly.get(chargePointId) ?? 0) + 1);
        if (afterCrash === 'resend') return { status: 'queued', answer };
        return { status: wasSent ? 'unknown' : 'offline', answer };
      }
      return { status: isEarly && afterCrash === 'resend' ? 'queued' : 'timeout', answer };
    }
  }

  // In a reconnect storm all devices become ready within seconds, so one query looks for the commands of many devices.
  const readiness = createBatch<number, boolean>({
    waitMs: 20,
    most: 1_000,
    async run(ids) {
      const queued = await store.withQueued(ids);
      return ids.map((id) => queued.has(id));
    },
  });

  function wake(chargePointId: number): void {
    const connection = connectionOf(chargePointId);
    if (!connection?.isReady) {
      if (connection?.takesStops) track(connection, sendEarly(connection));
      return;
    }
    if (busy.has(connection)) {
      again.add(connection);
      track(connection, overtake(connection));
      return;
    }
    const working = work(connection)
      // The rows are still in the table, and due work takes them again.
      .catch((error: unknown) => log.warn({ err: error, chargePoint: connection.identity }, 'commands delayed'))
      .finally(() => {
        busy.delete(connection);
        if (again.delete(connection)) wake(chargePointId);
      });
    busy.set(connection, working);
  }

  function maySend({ chargePointId }: DeviceConnection): void {
    readiness.add(chargePointId).then(
      (hasQueued) => hasQueued && wake(chargePointId),
      (error: unknown) => log.warn({ err: error }, 'commands delayed'),
    );
  }

  return {
    /** Sends the command that may wait for this charge point, if its socket is on this node and ready. */
    wake,
    /** From now on the connection may be sent commands: stops, or all that wait. */
    maySend,
    async idle(): Promise<void> {
      while (busy.size + beside.size > 0) await Promise.all([...busy.values(), ...beside]);
    },
  };
}
