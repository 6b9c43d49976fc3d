import type { OperationStatus } from '@fpay/contract/charging';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { preparedStatementMarker } from '../platform/database.ts';
import { bigints } from '../platform/rows/binary-array.ts';
import type { Step } from '../platform/step.ts';
import type { OperationEventsPort } from './operation-events-port.ts';

export interface BeginningOperation {
  id: number;
  /** The line in its log. */
  text: string;
  startedAt: Date;
  metered_at: Date;
  /** Missing when it has no limit. */
  stop_due_at?: Date;
  next_action_at: Date | null;
}

/** Moves locked operations from the same status to that of a charge that has begun, each with its line in the log. */
export type Begin = (
  step: Step,
  move: { before: OperationStatus; status: OperationStatus },
  begun: readonly BeginningOperation[],
) => Promise<void>;

interface Dependencies {
  clock: Clock;
  events: OperationEventsPort;
  log: Pick<Logger, 'info'> | undefined;
}

export function createBegin({ clock, events, log }: Dependencies): Begin {
  return async (step, { before, status }, begun) => {
    const now = clock.now();
    await beginOperations(step, status, begun, now);
    await events.operationsChanged(step, { operations: begun.map(({ id }) => id), before, status, at: now });
    for (const { id, text } of begun) {
      step.publish('operation', id);
      step.afterCommit(() => {
        log?.info({ operation: id, actor: 'station', text }, 'operation logged');
        log?.info({ operation: id, status }, 'operation status changed');
      });
    }
  };
}

/** One statement for thousands that begin at once: a statement for each costs some ten times as much. */
async function beginOperations(
  step: Step,
  status: OperationStatus,
  begun: readonly BeginningOperation[],
  now: Date,
): Promise<void> {
  const times = (of: (one: BeginningOperation) => Date | null | undefined) =>
    bigints(begun, (one) => of(one)?.getTime() ?? null);
  await sql`${sql.raw(preparedStatementMarker)}
    with begun as materialized (
      select * from unnest(${bigints(begun, ({ id }) => id)}::bigint[], ${begun.map(({ text }) => text)}::text[],
        ${times(({ startedAt }) => startedAt)}::bigint[], ${times(({ metered_at }) => metered_at)}::bigint[],
        ${times(({ stop_due_at }) => stop_due_at)}::bigint[], ${times(({ next_action_at }) => next_action_at)}::bigint[])
        as v (id, text, started_ms, metered_ms, stop_due_ms, next_action_ms)
    ), moved as (
      update operations o
      set status = ${status}, status_at = ${now}, closed_at = null, started_at = to_timestamp(v.started_ms::float8 / 1000), start_phase = null,
          failure_reason = null, failure_cause = null, metered_at = to_timestamp(v.metered_ms::float8 / 1000),
          stop_due_at = to_timestamp(v.stop_due_ms::float8 / 1000), next_action_at = to_timestamp(v.next_action_ms::float8 / 1000)
      from begun v where o.id = v.id
      returning o.id
    )
    insert into operation_log (operation_id, actor, text, is_technical, created_at)
    select v.id, 'station', v.text, false, ${now} from begun v where v.id in (select id from moved)`.execute(step.db);
}
