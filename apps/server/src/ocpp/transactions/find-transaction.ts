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

/** The tag of a transaction that was answered `Invalid`; null when it was not. */
export async function refusedTagOf(step: Step, ocppTransaction: number): Promise<string | null> {
  const row = await step.db
    .selectFrom('ocpp_transactions')
    .select('id_tag')
    .where('id', '=', ocppTransaction)
    .where('id_tag_status', '=', 'Invalid')
    .executeTakeFirst();
  return row?.id_tag ?? null;
}
