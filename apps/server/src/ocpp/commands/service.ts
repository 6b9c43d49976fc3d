import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { DueKind } from '../../platform/due-work.ts';
import type { Outbox } from '../../platform/outbox.ts';
import type { Step, Steps } from '../../platform/step.ts';
import {
  answerMarginMs,
  type CommandOutcome,
  longestWaitMs,
  mannerOf,
  type NewCommand,
  type Verdict,
  verdictOn,
} from './command.ts';
import { type CommandRow, commandTopic, createCommandStore, outcomeOf, outcomeTopic } from './store.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  outbox: Outbox;
  clock: Clock;
  log: Logger;
  nodeDeadAfterMs: number;
  /** After commit: due work of this kind may be there. */
  wakeDue?: () => void;
}

/** How soon an unfinished command is looked at again by due work: the net under the node that holds the socket. */
const lookAgainMs = 2_000;

export type OutcomeHandler = (step: Step, outcome: CommandOutcome) => Promise<void>;

/**
 * Commands to devices from any node. A command is a row; the node that holds the device's socket sends it and writes the
 * answer. Without a living holder it is `offline` at once: nobody wants a car to start when the device returns at night.
 */
export function createCommands({ db, steps, outbox, clock, log, nodeDeadAfterMs, wakeDue = () => {} }: Dependencies) {
  const store = createCommandStore(db, nodeDeadAfterMs);
  const handlers = new Map<string, OutcomeHandler>();
  const waiting = new Map<number, () => void>();
  const local = new Set<(chargePointId: number) => void>();

  outbox.subscribe(({ topic, ref }) => {
    if (topic !== outcomeTopic) return;
    waiting.get(Number(ref))?.();
    wakeDue();
  });

  async function enqueue(step: Step, command: NewCommand, outcomeTo: string | null): Promise<number> {
    const at = clock.now();
    const isHeld = (await store.holder(step.db, command.chargePointId)) !== null;
    // Offline: the outcome is certain now, so whoever waits for it is told at once.
    const due = isHeld ? new Date(at.getTime() + lookAgainMs) : outcomeTo === null ? null : at;
    const status = isHeld ? 'queued' : 'offline';
    const id = await store.add(step, command, { status, outcomeTo, at, nextActionAt: due });
    if (isHeld) step.tell(commandTopic, command.chargePointId);
    step.afterCommit(() => {
      // The socket may be this node's own: no need to wait for the event to come round.
      if (isHeld) for (const listener of local) listener(command.chargePointId);
      else wakeDue();
    });
    return id;
  }

  /** Resolves when the row has its outcome. The outbox tells; its sweep makes sure that it is told. */
  async function outcome(id: number, patienceMs: number): Promise<CommandOutcome> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const told = new Promise<void>((resolve) => waiting.set(id, resolve));
      const row = await store.find(db, id);
      const known = row && outcomeOf(row);
      if (known) {
        waiting.delete(id);
        return known;
      }
      if (!row || performance.now() > deadline) {
        waiting.delete(id);
        throw new Error(`Command ${id} has no outcome after ${patienceMs} ms`);
      }
      let timer: NodeJS.Timeout | undefined;
      const later = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, lookAgainMs);
      });
      await Promise.race([told, later]);
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
      if (command.status === 'queued' || verdict === 'queueAgain') step.tell(commandTopic, chargePointId);
      return;
    }
    if (verdict !== 'done') {
      log.warn({ command: id, action: command.action, chargePoint: chargePointId, verdict }, 'a command was given up');
      await set({ status: verdict, answered_at: at, next_action_at: null });
      step.tell(outcomeTopic, id);
    } else await set({ next_action_at: null });
    const settled = outcomeOf(verdict === 'done' ? command : { ...command, status: verdict });
    if (command.outcomeTo === null || settled === null) return;
    const handler = handlers.get(command.outcomeTo);
    if (!handler) throw new Error(`Nobody is registered for outcomes of ${command.outcomeTo}`);
    await handler(step, settled);
  }

  return {
    store,
    due,
    /** For the node that holds sockets: a command waits for this charge point. */
    onQueued(listener: (chargePointId: number) => void): void {
      local.add(listener);
      outbox.subscribe(({ topic, ref }) => {
        if (topic === commandTopic) listener(Number(ref));
      });
    },
    /** Who is told the outcomes of commands enqueued under this name. Inside a step of due work: exactly once. */
    registerOutcome(name: string, handler: OutcomeHandler): void {
      handlers.set(name, handler);
    },
    /** Whether a living node holds the device's socket. */
    isConnected: async (step: Step, chargePointId: number): Promise<boolean> =>
      (await store.holder(step.db, chargePointId)) !== null,
    mayHaveDone: store.mayHaveDone,
    /** In the caller's own step: the command exists exactly when that step does. */
    enqueue: (step: Step, command: NewCommand & { outcomeTo: string }): Promise<number> =>
      enqueue(step, command, command.outcomeTo),
    /** For a person who waits: the device's real answer, or why there is none. */
    async send(command: NewCommand): Promise<CommandOutcome> {
      const id = await steps.run((step) => enqueue(step, command, null));
      return outcome(id, longestWaitMs + mannerOf(command.action).timeoutMs + 3 * nodeDeadAfterMs + answerMarginMs);
    },
  };
}

export type Commands = ReturnType<typeof createCommands>;
