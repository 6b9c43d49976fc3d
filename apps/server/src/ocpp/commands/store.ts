import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';
import type { CommandAction, CommandOutcome, CommandStatus, NewCommand, OutcomeReceiver } from './command.ts';

/** Outbox topics: a command waits for this charge point; this command has its outcome. */

export interface CommandRow extends Omit<CommandOutcome, 'status' | 'wasSent'> {
  status: CommandStatus;
  payload: object;
  attempts: number;
  outcomeTo: OutcomeReceiver | null;
  nodeId: string | null;
  epoch: number | null;
  createdAt: Date;
  sentAt: Date | null;
}

const columns = sql`id, charge_point_id, action, payload, operation_id, status, answer, attempts, outcome_to, node_id,
  epoch, created_at, sent_at`;

interface Stored {
  id: number;
  charge_point_id: number;
  action: string;
  payload: object;
  operation_id: number | null;
  status: CommandStatus;
  answer: Record<string, unknown> | null;
  attempts: number;
  outcome_to: string | null;
  node_id: string | null;
  epoch: number | null;
  created_at: Date;
  sent_at: Date | null;
}

export interface EarlierCommands {
  chargePointId: number;
  action: CommandAction;
  /** Only the profiles of this operation, or the stops of this transaction. */
  profileOf?: number;
  stopOf?: number;
  at: Date;
}

export interface SocketOwner {
  nodeId: string;
  epoch: number;
}

export interface Precedence {
  urgent: readonly string[];
  optional: readonly string[];
  /** `urgent`: only commands that may be sent in parallel to an open one; `early`: only what a device gets before it is ready. */
  only?: 'urgent' | 'early' | null;
  early: readonly string[];
}

/** No optional command is sent this long before a planned stop. */
const quietBeforeStopMs = 10_000;

export function createCommandStore(db: Database, nodeDeadAfterMs: number) {
  return {
    /** The live node that holds the device's socket, by the database's clock, which all nodes share. */
    async holder(of: Database | Step['db'], chargePointId: number): Promise<SocketOwner | null> {
      const { rows } = await sql<{ node_id: string; epoch: number }>`
        select l.node_id, l.epoch from charge_point_links l join nodes n on n.id = l.node_id
        where l.charge_point_id = ${chargePointId}
          and n.heartbeat_at >= clock_timestamp() - ${nodeDeadAfterMs} * interval '1 ms'`.execute(of);
      const row = rows[0];
      return row ? { nodeId: row.node_id, epoch: row.epoch } : null;
    },

    /** Since when a live node holds the device's socket, and the last frame of the socket before it. */
    async connection(step: Step, chargePointId: number): Promise<{ connectedAt: Date | null; lostAt: Date | null }> {
      const isHeld = (await this.holder(step.db, chargePointId)) !== null;
      const link = await step.db
        .selectFrom('charge_point_links')
        .select(['connected_at', 'lost_at'])
        .where('charge_point_id', '=', chargePointId)
        .executeTakeFirst();
      return { connectedAt: isHeld ? (link?.connected_at ?? null) : null, lostAt: link?.lost_at ?? null };
    },

    /** Whether the device executed this for the operation, or may have: it accepted, or its answer is unknown. */
    async mayHaveDone(step: Step, chargePointId: number, operationId: number, action: string): Promise<boolean> {
      const { rows } = await sql<{ done: boolean }>`
        select exists (select from commands where charge_point_id = ${chargePointId} and operation_id = ${operationId}
          and action = ${action} and sent_at is not null
          and (status in ('unknown', 'timeout') or answer->>'status' = 'Accepted')) as done`.execute(step.db);
      return rows[0]?.done ?? false;
    },

    /** Whether a command of this kind was enqueued by then and has been sent. */
    async wasSentBefore(
      step: Step,
      asked: { chargePointId: number; operationId: number; action: string; before: Date },
    ): Promise<boolean> {
      const row = await step.db
        .selectFrom('commands')
        .select('id')
        .where('charge_point_id', '=', asked.chargePointId)
        .where('operation_id', '=', asked.operationId)
        .where('action', '=', asked.action)
        .where('sent_at', 'is not', null)
        .where('created_at', '<=', asked.before)
        .executeTakeFirst();
      return row !== undefined;
    },

    async add(
      step: Step,
      command: NewCommand,
      state: {
        status: 'queued' | 'offline';
        outcomeTo: OutcomeReceiver | null;
        at: Date;
        nextActionAt: Date | null;
        epoch: number | null;
      },
    ): Promise<number> {
      const { id } = await step.db
        .insertInto('commands')
        .values({
          charge_point_id: command.chargePointId,
          action: command.action,
          payload: JSON.stringify(command.payload),
          operation_id: command.operationId ?? null,
          requested_by: command.requestedBy ?? null,
          status: state.status,
          epoch: state.epoch,
          outcome_to: state.outcomeTo,
          created_at: state.at,
          answered_at: state.status === 'offline' ? state.at : null,
          next_action_at: state.nextActionAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /**
     * The next command for this connection. It is marked as sent before it is, so that a command that may have been
     * sent looks so after a crash.
     */
    async takeNext(
      chargePointId: number,
      { nodeId, epoch }: SocketOwner,
      { urgent, optional, early, only = null }: Precedence,
      at: Date,
    ): Promise<CommandRow | null> {
      const stopsBefore = new Date(at.getTime() + quietBeforeStopMs);
      const { rows } = await sql<Stored>`
        update commands set status = 'sent', node_id = ${nodeId}, epoch = ${epoch}, sent_at = ${at}, attempts = attempts + 1
        where id = (
            select id from commands where charge_point_id = ${chargePointId} and status = 'queued'
              and (attempts > 0 or epoch is null or epoch = ${epoch})
              and (not ${only === 'urgent'}::boolean or action = any(${urgent}::text[]))
              and (not ${only === 'early'}::boolean
                or attempts = 0 and action = any(${early}::text[])
                  and (operation_id is not null or action = any(${urgent}::text[])))
              and not (action = any(${optional}::text[]) and exists (
                select from ocpp_transactions t join operations o on o.id = t.operation_id
                where t.charge_point_id = ${chargePointId} and t.stopped_at is null and o.status = 'ongoing'
                  and o.stop_due_at < ${stopsBefore}))
            order by (action = any(${urgent}::text[])) desc, id limit 1 for update skip locked)
          and exists (select from charge_point_links l where l.charge_point_id = commands.charge_point_id
            and l.node_id = ${nodeId} and l.epoch = ${epoch})
        returning ${columns}`.execute(db);
      return rows[0] ? rowOf(rows[0]) : null;
    },

    /** The socket closed before the answer, so the command waits a while for the device to reconnect. */
    async queueAgain({ id, nodeId, epoch }: { id: number } & SocketOwner): Promise<void> {
      await db
        .updateTable('commands')
        .set({ status: 'queued' })
        .where('id', '=', id)
        .where('status', '=', 'sent')
        .where('node_id', '=', nodeId)
        .where('epoch', '=', epoch)
        .execute();
    },

    /**
     * Commands of an earlier connection that have no outcome. A row that is being handled right now is left to that step.
     */
    async giveUpEarlier(step: Step, { chargePointId, action, profileOf, stopOf, at }: EarlierCommands): Promise<void> {
      await sql`
        update commands c set status = case when attempts = 0 then 'offline' else 'unknown' end,
          answered_at = ${at}, next_action_at = null
        where c.id in (
          select e.id from commands e left join charge_point_links l on l.charge_point_id = e.charge_point_id
          where e.charge_point_id = ${chargePointId} and e.action = ${action} and e.status in ('queued', 'sent')
            and e.outcome_to is not null and e.epoch is distinct from l.epoch
            and (${profileOf ?? null}::bigint is null or e.operation_id = ${profileOf ?? null})
            and (${stopOf ?? null}::bigint is null or (e.payload ->> 'transactionId')::bigint = ${stopOf ?? null})
          for update of e skip locked)`.execute(step.db);
    },

    async withQueued(chargePointIds: readonly number[]): Promise<Set<number>> {
      const { rows } = await sql<{ charge_point_id: number }>`
        select distinct charge_point_id from commands
        where status = 'queued' and charge_point_id = any(${chargePointIds}::bigint[])`.execute(db);
      return new Set(rows.map((row) => row.charge_point_id));
    },

    async find(of: Database | Step['db'], id: number): Promise<CommandRow | null> {
      const { rows } = await sql<Stored>`select ${columns} from commands where id = ${id}`.execute(of);
      return rows[0] ? rowOf(rows[0]) : null;
    },

    /** An answer of an older epoch, or of a finished command, is dropped. Returns whether it counted. */
    async finish(
      step: Step,
      { id, nodeId, epoch }: { id: number } & SocketOwner,
      status: CommandOutcome['status'],
      answer: object | null,
      at: Date,
    ): Promise<boolean> {
      const { rows } = await sql`
        update commands set status = ${status}, answer = ${answer === null ? null : JSON.stringify(answer)}::jsonb,
          answered_at = ${at}, next_action_at = case when outcome_to is null then null else ${at}::timestamptz end
        where id = ${id} and status = 'sent' and node_id = ${nodeId} and epoch = ${epoch}
        returning id`.execute(step.db);
      if (rows.length > 0) step.publish('command-outcome', id);
      return rows.length > 0;
    },
  };
}

export type CommandStore = ReturnType<typeof createCommandStore>;

export function outcomeOf({
  id,
  chargePointId,
  action,
  operationId,
  status,
  answer,
  attempts,
}: CommandRow): CommandOutcome | null {
  if (status === 'queued' || status === 'sent') return null;
  // A call that timed out in the queue of the link reports that itself; every other call with an attempt may have been
  // sent.
  const wasSent = attempts > 0 && answer?.wasSent !== false;
  return { id, chargePointId, action, operationId, status, answer, wasSent };
}

function rowOf(row: Stored): CommandRow {
  return {
    id: row.id,
    chargePointId: row.charge_point_id,
    action: row.action,
    payload: row.payload,
    operationId: row.operation_id,
    status: row.status,
    answer: row.answer,
    attempts: row.attempts,
    outcomeTo: row.outcome_to as OutcomeReceiver | null,
    nodeId: row.node_id,
    epoch: row.epoch,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  };
}
