import { sql } from 'kysely';
import type { Step } from '../../platform/step.ts';

/** Impossible reports of devices. Each is answered all the same, otherwise the device would repeat it for ever. */
export type DeviceAnomalyKind =
  /** A stop that matches no known charge. */
  | 'unmatchedStop'
  /** The transaction id of another device. */
  | 'foreignTransaction'
  | 'meterStopIgnored'
  | 'meterReset'
  | 'relativeMeter'
  | 'tooFast'
  | 'jumped'
  | 'wrongUnit'
  /** The reported power is impossible, or contradicts the register. */
  | 'powerIgnored'
  /** A configuration key that the device does not keep. */
  | 'configurationLost'
  /** Readings come less often than configured. */
  | 'slowReadings'
  /** More power than the device has accepted. */
  | 'shareIgnored'
  /** A charge was stopped because its site was above its limit. */
  | 'siteLimitStop'
  | 'clockSkewed'
  | 'unknownConnector'
  /** It connects again and again. */
  | 'reconnecting'
  /** Each connection replaces another: two devices have this identity, or one leaves its sockets open. */
  | 'identityContested'
  | 'lostStart'
  /** Power still flowed a day after the stop was due. */
  | 'stopIgnored'
  /** More anomalies within an hour than are listed one by one. */
  | 'tooManyAnomalies';

export interface DeviceAnomaly {
  chargePointId: number;
  kind: DeviceAnomalyKind;
  /** Identifies the anomaly, so that it is listed once however often it is reported. */
  subject: string;
  ocppTransactionId?: number | null;
  details?: Record<string, unknown>;
}

/** A thoroughly broken device has a dozen anomalies; more only fill the list. */
export const newMattersAnHour = 50;
/** The largest charge points have a dozen connectors. Reports about higher numbers share one row. */
const highestConnector = 64;

/** The subject for a connector that the network does not have. */
export function unknownConnectorSubject(ocppConnector: number): string {
  return ocppConnector <= highestConnector ? `connector ${ocppConnector}` : `connectors above ${highestConnector}`;
}

interface Row {
  charge_point_id: number;
  kind: DeviceAnomalyKind;
  subject: string;
  ocpp_transaction_id: number | null;
  details: string;
  times: number;
  first_at: Date;
  last_at: Date;
}

/**
 * One counted row for each anomaly, because a faulty device repeats it every ten seconds. One device adds a limited
 * number of rows in an hour; further anomalies are counted in one row.
 */
export async function noteAnomalies(step: Step, anomalies: readonly DeviceAnomaly[], now: Date): Promise<void> {
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

function rowOf({ chargePointId, kind, subject, ocppTransactionId, details }: DeviceAnomaly, now: Date): Row {
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

/**
 * The anomalies that are listed already, and as many new ones as the device may still add. The rest becomes one row for
 * each device.
 */
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
