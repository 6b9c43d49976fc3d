import { sql } from 'kysely';
import type { Step } from '../../platform/step.ts';
import { lockTransactions } from '../device/transaction-row.ts';

export interface Closed {
  energyWh: number;
  operationId: number | null;
  connectorId: number | null;
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
  const { count, operationId, connectorId } = transaction;
  return { energyWh: count.energyWh, operationId, connectorId };
}

/** For charging: what a charge has delivered that still runs. The row is locked. Null when it has ended. */
export async function lockRunning(step: Step, ocppTransactionId: number): Promise<Closed | null> {
  const [transaction] = await lockTransactions(step, sql`t.id = ${ocppTransactionId} and t.stopped_at is null`);
  if (!transaction) return null;
  const { count, operationId, connectorId } = transaction;
  return { energyWh: count.energyWh, operationId, connectorId };
}
