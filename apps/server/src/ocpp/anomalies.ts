import { sql } from 'kysely';
import type { Step } from '../platform/step.ts';

/** What a device told that cannot be so. Each is answered all the same, or the device would repeat it for ever. */
export type AnomalyKind =
  /** A stop that belongs to no charge we know. */
  | 'unmatchedStop'
  /** Another device's transaction id. */
  | 'foreignTransaction'
  | 'meterStopIgnored'
  | 'meterReset'
  | 'relativeMeter'
  | 'tooFast'
  | 'jumped'
  | 'wrongUnit'
  /** Impossible, or in conflict with the register. */
  | 'powerIgnored'
  /** A configuration key that it does not keep. */
  | 'configurationLost'
  /** Readings come less often than it was configured to send them. */
  | 'slowReadings'
  | 'clockSkewed'
  | 'unknownConnector'
  | 'lostStart'
  /** Power still flowed a day after the charge was to stop. */
  | 'stopIgnored';

export interface Anomaly {
  chargePointId: number;
  kind: AnomalyKind;
  /** Names the matter, so that it is listed once however often it is told. */
  subject: string;
  ocppTransactionId?: number | null;
  details?: Record<string, unknown>;
}

/** One line for each matter: a device that errs does so every ten seconds. */
export async function noteAnomalies(step: Step, anomalies: readonly Anomaly[], now: Date): Promise<void> {
  if (anomalies.length === 0) return;
  const bySubject = new Map(anomalies.map((one) => [`${one.chargePointId} ${one.kind} ${one.subject}`, one]));
  const rows = [...bySubject.values()]
    .sort((a, b) => a.chargePointId - b.chargePointId)
    .map((one) => ({
      charge_point_id: one.chargePointId,
      kind: one.kind,
      subject: one.subject.slice(0, 200),
      ocpp_transaction_id: one.ocppTransactionId ?? null,
      details: JSON.stringify(one.details ?? {}),
      first_at: now,
      last_at: now,
    }));
  await step.db
    .insertInto('charge_point_anomalies')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['charge_point_id', 'kind', 'subject']).doUpdateSet({
        times: sql`charge_point_anomalies.times + 1`,
        last_at: now,
        details: sql`excluded.details`,
      }),
    )
    .execute();
}
