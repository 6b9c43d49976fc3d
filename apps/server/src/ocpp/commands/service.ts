import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { DueKind } from '../../platform/jobs/due-work.ts';
import type { Outbox } from '../../platform/outbox.ts';
import type { Step, Steps } from '../../platform/step.ts';
import {
  answerMarginMs,
  type CommandOutcome,
  longestWaitMs,
  type NewCommand,
  type OutcomeReceiver,
  policyOf,
  type Verdict,
  verdictOn,
} from './command.ts';
import { type CommandRow, type CommandStore, createCommandStore, outcomeOf } from './store.ts';

/**
 * Commands to devices from any node. A command is a row; the node that holds the device's socket sends it and writes the
 * answer. Refuses nothing: what a device cannot or will not do is an outcome.
 */
export interface Commands {
  store: CommandStore;
  due: DueKind;
  /** For the node that holds sockets: a command waits for this charge point. */
  onQueued(listener: (chargePointId: number) => void): void;
  /** Whether a live node holds the device's socket. */
  isConnected(step: Step, chargePointId: number): Promise<boolean>;
  /** Since when it does (null: it does not), and the last frame of the socket before. */
  connection: CommandStore['connection'];
  /** Whether the device did this for the operation, or may have done it: it agreed, or its answer is unknown. */
  mayHaveDone(step: Step, chargePointId: number, operationId: number, action: string): Promise<boolean>;
  /** Whether a command of this kind was enqueued by then and has left. */
  wasSentBefore: CommandStore['wasSentBefore'];
  /** In the caller's own step: the command exists exactly when that step does. */
  enqueue(step: Step, command: NewCommand & { outcomeTo: string }): Promise<number>;
  /** Ends unfinished commands of an earlier connection, because this step decides again what is sent. No outcome follows. */
  giveUpEarlier: CommandStore['giveUpEarlier'];
  /** In the caller's own step, for a caller that reads the outcome from the row. */
  order(step: Step, command: NewCommand): Promise<number>;
  /** For a caller that waits: the device's real answer, or why there is none. */
  send(command: NewCommand): Promise<CommandOutcome>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  outbox: Outbox;
  clock: Clock;
  log: Logger;
  nodeDeadAfterMs: number;
  /** Without all of them commands cannot be wired. */
  outcomes: OutcomeHandlers;
  /** Called after the commit, because due work of this kind may exist. */
  wakeDue?: () => void;
}

/** How soon due work checks an unfinished command again, in case the node that holds the socket fails. */
const lookAgainMs = 2_000;

type OutcomeHandler = (step: Step, outcome: CommandOutcome) => Promise<void>;

/** Every receiver that is declared has its handler. It is called inside a step of due work, so once for each command. */
export type OutcomeHandlers = Readonly<Record<OutcomeReceiver, OutcomeHandler>>;

/**
 * Commands to devices from any node. A command is a row; the node that holds the device's socket sends it and writes
 * the answer. Without a live node that holds the socket it is `offline` at once, because a car must not start charging
 * when the device reconnects at night.
 */
export function createCommands(dependencies: Dependencies): Commands {
  const { db, steps, outbox, clock, log, nodeDeadAfterMs, wakeDue = () => {} } = dependencies;
  // A node of another version may have enqueued a command for a receiver that this one does not know.
  const handlers: Partial<OutcomeHandlers> = dependencies.outcomes;
  const store = createCommandStore(db, nodeDeadAfterMs);
  const waiting = new Map<number, () => void>();
  const local = new Set<(chargePointId: number) => void>();

  outbox.subscribe('command-outcome', (ref) => {
    waiting.get(Number(ref))?.();
    wakeDue();
  });

  async function enqueue(step: Step, command: NewCommand, outcomeTo: OutcomeReceiver | null): Promise<number> {
    const at = clock.now();
    const holder = await store.holder(step.db, command.chargePointId);
    const isHeld = holder !== null;
    // When the device is offline the outcome is certain now, so its handler runs at once.
    const due = isHeld ? new Date(at.getTime() + lookAgainMs) : outcomeTo === null ? null : at;
    const status = isHeld ? 'queued' : 'offline';
    const id = await store.add(step, command, {
      status,
      outcomeTo,
      at,
      nextActionAt: due,
      epoch: holder?.epoch ?? null,
    });
    if (isHeld) step.publish('command', command.chargePointId);
    step.afterCommit(() => {
      // The socket may be on this node, so there is no need to wait for the event.
      if (isHeld) for (const listener of local) listener(command.chargePointId);
      else wakeDue();
    });
    return id;
  }

  /** Resolves when the row has its outcome. The outbox notifies us; its sweep makes sure that no event is missed. */
  async function outcome(id: number, timeoutMs: number): Promise<CommandOutcome> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const notified = new Promise<void>((resolve) => waiting.set(id, resolve));
      const row = await store.find(db, id);
      const known = row && outcomeOf(row);
      if (known) {
        waiting.delete(id);
        return known;
      }
      if (!row || performance.now() > deadline) {
        waiting.delete(id);
        throw new Error(`Command ${id} has no outcome after ${timeoutMs} ms`);
      }
      let timer: NodeJS.Timeout | undefined;
      const later = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, lookAgainMs);
      });
      await Promise.race([notified, later]);
      clearTimeout(timer);
    }
  }

  const due: DueKind = {
    name: 'command',
    table: 'commands',
    async act(step, id) {
      const command = await store.find(step.db, id);
      if (command) await carryOut(step, command, await judge(step, command));
    },
  };

  async function judge(step: Step, command: CommandRow): Promise<Verdict> {
    const holder = await store.holder(step.db, command.chargePointId);
    return verdictOn({
      status: command.status,
      action: command.action,
      attempts: command.attempts,
      createdAt: command.createdAt.getTime(),
      sentAt: command.sentAt?.getTime() ?? null,
      now: clock.now().getTime(),
      isHeld: holder !== null,
      isSameConnection: holder !== null && holder.nodeId === command.nodeId && holder.epoch === command.epoch,
      // Rows of a version that did not store it are for any connection.
      isOwnEpoch: holder !== null && (command.epoch === null || holder.epoch === command.epoch),
    });
  }

  async function carryOut(step: Step, command: CommandRow, verdict: Verdict): Promise<void> {
    const { id, chargePointId } = command;
    const at = clock.now();
    const set = (values: { status?: string; answered_at?: Date; next_action_at: Date | null }) =>
      step.db.updateTable('commands').set(values).where('id', '=', id).execute();
    const lookAgain = new Date(at.getTime() + lookAgainMs);

    if (verdict === 'wait' || verdict === 'queueAgain') {
      await set({ ...(verdict === 'queueAgain' ? { status: 'queued' } : {}), next_action_at: lookAgain });
      if (command.status === 'queued' || verdict === 'queueAgain') step.publish('command', chargePointId);
      return;
    }
    if (verdict !== 'done') {
      log.warn({ command: id, action: command.action, chargePoint: chargePointId, verdict }, 'command abandoned');
      await set({ status: verdict, answered_at: at, next_action_at: null });
      step.publish('command-outcome', id);
    } else await set({ next_action_at: null });
    const settled = outcomeOf(verdict === 'done' ? command : { ...command, status: verdict });
    if (command.outcomeTo === null || settled === null) return;
    // Thrown, so that the row stays due until a node that knows the receiver handles it.
    const handler = handlers[command.outcomeTo];
    if (!handler) throw new Error(`The outcomes of ${command.outcomeTo} have no handler`);
    await handler(step, settled);
  }

  return {
    store,
    due,
    onQueued(listener: (chargePointId: number) => void): void {
      local.add(listener);
      outbox.subscribe('command', (ref) => listener(Number(ref)));
    },
    isConnected: async (step: Step, chargePointId: number): Promise<boolean> =>
      (await store.holder(step.db, chargePointId)) !== null,
    connection: (step, chargePointId) => store.connection(step, chargePointId),
    mayHaveDone: store.mayHaveDone,
    wasSentBefore: store.wasSentBefore,
    giveUpEarlier: store.giveUpEarlier,
    enqueue: (step: Step, command: NewCommand & { outcomeTo: OutcomeReceiver }): Promise<number> =>
      enqueue(step, command, command.outcomeTo),
    order: (step: Step, command: NewCommand): Promise<number> => enqueue(step, command, null),
    async send(command: NewCommand): Promise<CommandOutcome> {
      const id = await steps.run((step) => enqueue(step, command, null));
      return outcome(id, longestWaitMs + policyOf(command.action).timeoutMs + 3 * nodeDeadAfterMs + answerMarginMs);
    },
  };
}
