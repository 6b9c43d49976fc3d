import { CallFailed, type Message, v16 } from '@fpay/ocpp';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Steps } from '../../platform/step.ts';
import type { Connection } from '../connection.ts';
import { createGather } from '../gather.ts';
import { type CommandOutcome, longestWaitMs, mannerOf, manners } from './command.ts';
import type { CommandRow, CommandStore } from './store.ts';

interface Dependencies {
  store: CommandStore;
  steps: Steps;
  clock: Clock;
  log: Logger;
  nodeId: string;
  connectionOf(chargePointId: number): Connection | undefined;
}

const urgent = Object.entries(manners)
  .filter(([, manner]) => manner.isUrgent)
  .map(([action]) => action);

const messages: Record<string, Message> = v16 satisfies Record<string, Message>;

/** Sends the commands of this node's sockets, one at a time each, in the order they were given, urgent ones first. */
export function createSender({ store, steps, clock, log, nodeId, connectionOf }: Dependencies) {
  const busy = new Map<Connection, Promise<void>>();
  const again = new Set<Connection>();

  async function work(connection: Connection): Promise<void> {
    const { chargePointId, epoch } = connection;
    do {
      again.delete(connection);
      for (;;) {
        if (connection.isVoid || !connection.link.isOpen) return;
        const command = await store.takeNext(chargePointId, { nodeId, epoch }, urgent, clock.now());
        if (!command) break;
        const { status, answer } = await send(connection, command);
        const ours = { id: command.id, nodeId, epoch };
        if (status === 'queued') await store.queueAgain(ours);
        else await steps.run((step) => store.finish(step, ours, status, answer, clock.now()));
      }
    } while (again.has(connection));
  }

  async function send(
    { link, identity }: Connection,
    { id, action, payload }: CommandRow,
  ): Promise<{ status: CommandOutcome['status'] | 'queued'; answer: object | null }> {
    const message = messages[action];
    if (!message) return { status: 'error', answer: { description: `${action} is no command`, wasSent: false } };
    const { timeoutMs, isUrgent, afterCrash } = mannerOf(action);
    try {
      const answer = await link.call(message, payload as never, { timeoutMs, isUrgent, queueWaitMs: longestWaitMs });
      return { status: 'answered', answer: answer as object };
    } catch (error) {
      if (!(error instanceof CallFailed)) {
        log.error({ err: error, command: id, action, chargePoint: identity }, 'a command could not be sent');
        return { status: 'error', answer: { description: 'not of the standard', wasSent: false } };
      }
      const { wasSent, code, failure, message: description } = error;
      const answer = { wasSent, failure, ...(code === null ? {} : { code }), description };
      if (failure === 'refused' || failure === 'unreadable') return { status: 'error', answer };
      if (failure === 'closed') {
        if (afterCrash === 'resend') return { status: 'queued', answer };
        return { status: wasSent ? 'unknown' : 'offline', answer };
      }
      return { status: 'timeout', answer };
    }
  }

  // All devices of a storm become ready within seconds: one question for many, instead of a try for each.
  const readiness = createGather<number, boolean>({
    waitMs: 20,
    most: 1_000,
    async run(ids) {
      const queued = await store.withQueued(ids);
      return ids.map((id) => queued.has(id));
    },
  });

  function wake(chargePointId: number): void {
    const connection = connectionOf(chargePointId);
    if (!connection?.isReady) return;
    if (busy.has(connection)) {
      again.add(connection);
      return;
    }
    const working = work(connection)
      // The rows are still there: due work looks at them again.
      .catch((error: unknown) => log.warn({ err: error, chargePoint: connection.identity }, 'commands wait'))
      .finally(() => {
        busy.delete(connection);
        if (again.delete(connection)) wake(chargePointId);
      });
    busy.set(connection, working);
  }

  return {
    /** Something may wait for this charge point; if its socket is ours and may be spoken to, it is sent. */
    wake,
    /** The connection may be spoken to from now on. */
    ready({ chargePointId }: Connection): void {
      readiness.add(chargePointId).then(
        (hasQueued) => hasQueued && wake(chargePointId),
        (error: unknown) => log.warn({ err: error }, 'commands wait'),
      );
    },
    async idle(): Promise<void> {
      await Promise.all(busy.values());
    },
  };
}
