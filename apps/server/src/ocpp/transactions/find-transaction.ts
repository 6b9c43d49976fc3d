import type { Database } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';

/** The transaction that a device opened for this operation, the newest when it opened several. */
export async function transactionOfOperation(
  db: Database | Step['db'],
  operation: number,
): Promise<{ id: number; isStopped: boolean } | null> {
  const row = await db
    .selectFrom('ocpp_transactions')
    .select(['id', 'stopped_at'])
    .where('operation_id', '=', operation)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ? { id: row.id, isStopped: row.stopped_at !== null } : null;
}

/** The most energy that a transaction of this operation reports; one that was reported again has the earlier energy. */
export async function deliveredFor(step: Step, operation: number): Promise<number> {
  const { energy } = await step.db
    .selectFrom('ocpp_transactions')
    .select((of) => of.fn.coalesce(of.fn.max('energy_wh'), of.lit(0)).as('energy'))
    .where('operation_id', '=', operation)
    .executeTakeFirstOrThrow();
  return Number(energy);
}

/** Null when the transaction has ended, or was reported again under another id. */
export async function runningTransaction(
  step: Step,
  ocppTransaction: number,
): Promise<{ operationId: number | null } | null> {
  const row = await step.db
    .selectFrom('ocpp_transactions')
    .select('operation_id')
    .where('id', '=', ocppTransaction)
    .where('stopped_at', 'is', null)
    .where('continued_by', 'is', null)
    .executeTakeFirst();
  return row ? { operationId: row.operation_id } : null;
}

/** The tag of a transaction that was not accepted, and that is never billed; null when it was. */
export async function refusedTagOf(step: Step, ocppTransaction: number): Promise<string | null> {
  const row = await step.db
    .selectFrom('ocpp_transactions')
    .select('id_tag')
    .where('id', '=', ocppTransaction)
    .where('id_tag_status', 'in', ['Invalid', 'ConcurrentTx'])
    .executeTakeFirst();
  return row?.id_tag ?? null;
}
