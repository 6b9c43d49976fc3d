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
  | 'stopIgnored'
  /** More matters within an hour than are listed one by one. */
  | 'tooManyAnomalies';

export interface Anomaly {
  chargePointId: number;
  kind: AnomalyKind;
  /** Names the matter, so that it is listed once however often it is told. */
  subject: string;
  ocppTransactionId?: number | null;
  details?: Record<string, unknown>;
}

/** A device that is broken in every way has a dozen matters; past this it only fills the list. */
export const newMattersAnHour = 50;
/** The largest charge points have a dozen connectors. Reports about higher numbers share one row. */
const highestConnector = 64;

/** Names a connector that the network does not have. */
export function unknownConnectorSubject(ocppConnector: number): string {
  return ocppConnector <= highestConnector ? `connector ${ocppConnector}` : `connectors above ${highestConnector}`;
}

interface Row {
  charge_point_id: number;
  kind: AnomalyKind;
  subject: string;
  ocpp_transaction_id: number | null;
  details: string;
  times: number;
  first_at: Date;
  last_at: Date;
}

/**
 * One row for each matter, counted, because a device that errs does so every ten seconds. One device adds a limited number
 * of rows in an hour; further matters are counted in one row.
 */
export async function noteAnomalies(step: Step, anomalies: readonly Anomaly[], now: Date): Promise<void> {
  if (anomalies.length === 0) return;
  const rows = new Map<string, Row>();
  for (const one of anomalies) add(rows, rowOf(one, now));
  const listed = await withinLimit(step, [...rows.values()], now);
  await step.db
    .insertInto('charge_point_anomalies')
    .values(listed.sort((a, b) => a.charge_point_id - b.charge_point_id))
    .onConflict((conflict) =>
      conflict.columns(['charge_point_id', 'kind', 'subject']).doUpdateSet({
        times: sql`charge_point_anomalies.times + excluded.times`,
        last_at: now,
        details: sql`excluded.details`,
      }),
    )
    .execute();
}

function rowOf({ chargePointId, kind, subject, ocppTransactionId, details }: Anomaly, now: Date): Row {
  return {
    charge_point_id: chargePointId,
    kind,
    subject: subject.slice(0, 200),
    ocpp_transaction_id: ocppTransactionId ?? null,
    details: JSON.stringify(details ?? {}),
    times: 1,
    first_at: now,
    last_at: now,
  };
}

function add(rows: Map<string, Row>, row: Row): void {
  const key = keyOf(row);
  const times = (rows.get(key)?.times ?? 0) + row.times;
  rows.set(key, { ...row, times });
}

const keyOf = ({ charge_point_id, kind, subject }: Pick<Row, 'charge_point_id' | 'kind' | 'subject'>) =>
  `${charge_point_id} ${kind} ${subject}`;

/** What is listed already, and as many new matters as the device may still add. The rest becomes one row for each device. */
async function withinLimit(step: Step, rows: readonly Row[], now: Date): Promise<Row[]> {
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const ids = [...new Set(rows.map((row) => row.charge_point_id))];
  const { rows: recent } = await sql<{ charge_point_id: number; count: number }>`
    select charge_point_id, count(*) as count from charge_point_anomalies
    where charge_point_id = any(${ids}::bigint[]) and first_at > ${hourAgo} group by charge_point_id`.execute(step.db);
  const { rows: known } = await sql<Pick<Row, 'charge_point_id' | 'kind' | 'subject'>>`
    select charge_point_id, kind, subject from charge_point_anomalies
    where (charge_point_id, kind, subject) in (select * from unnest(${rows.map((row) => row.charge_point_id)}::bigint[],
      ${rows.map((row) => row.kind)}::text[], ${rows.map((row) => row.subject)}::text[]))`.execute(step.db);
  const isKnown = new Set(known.map(keyOf));
  const added = new Map(recent.map((row) => [row.charge_point_id, row.count]));
  const listed = new Map<string, Row>();
  for (const row of rows) {
    const count = added.get(row.charge_point_id) ?? 0;
    const isListed = isKnown.has(keyOf(row)) || count < newMattersAnHour;
    if (isListed && !isKnown.has(keyOf(row))) added.set(row.charge_point_id, count + 1);
    const last = JSON.stringify({ kind: row.kind, subject: row.subject });
    const folded = { kind: 'tooManyAnomalies' as const, subject: 'more', ocpp_transaction_id: null, details: last };
    add(listed, isListed ? row : { ...row, ...folded });
  }
  return [...listed.values()];
}
