import { sql } from 'kysely';
import type { Step } from '../../platform/step.ts';
import { lockTransactions } from './transaction-row.ts';

export interface Closed {
  energyWh: number;
  operationId: number | null;
}

/**
 * For charging: the device will not report the end, so the charge is closed on the last reading. This needs no device,
 * so it works while that is away; a StopTransaction that still arrives corrects it. Null when it had ended already.
 */
export async function closeOnLastReading(
  step: Step,
  ocppTransactionId: number,
  { reason, at }: { reason: string; at: Date },
): Promise<Closed | null> {
  const [transaction] = await lockTransactions(step, sql`t.id = ${ocppTransactionId} and t.stopped_at is null`);
  if (!transaction) return null;
  await step.db
    .updateTable('ocpp_transactions')
    .set({ stopped_at: at, stop_reason: reason, is_estimated: true, meter_stop_wh: transaction.count.lastWh })
    .where('id', '=', ocppTransactionId)
    .execute();
  return { energyWh: transaction.count.energyWh, operationId: transaction.operationId };
}
