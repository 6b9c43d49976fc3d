import { sql } from 'kysely';
import type { Commands } from '../../ocpp/commands/service.ts';
import { noteAnomalies } from '../../ocpp/device/anomalies.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { RowLoops } from '../../platform/rows/row-loops.ts';
import type { Steps } from '../../platform/step.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  commands: Pick<Commands, 'enqueue'>;
  clock: Clock;
  rows: RowLoops;
}

const key = 'MeterValueSampleInterval';
/** Readings may be late by a part of their interval; two and a half intervals are too much. */
const intervals = 2.5;
const marginSeconds = 5;

/**
 * Finds connected devices whose readings come less often than configured. The limit does not depend on them, because
 * rated power is assumed without a reading; but the device is configured again, and staff see it.
 */
export function createSlowReadings({ db, steps, commands, clock, rows }: Dependencies) {
  interface Found {
    operation_id: number;
    charge_point_id: number;
    seconds: number;
    silent_seconds: number;
  }

  async function find(now: Date): Promise<Found[]> {
    const result = await sql<Found>`
      select o.id as operation_id, o.charge_point_id, s.seconds,
        round(extract(epoch from ${now}::timestamptz - o.metered_at))::int as silent_seconds
      from operations o
      join charge_points p on p.id = o.charge_point_id
      join charge_point_links l on l.charge_point_id = p.id
      cross join lateral (select substring(p.configuration->'values'->>${key} from '^\\d{1,4}$')::int as seconds) s
      where o.status = 'ongoing' and s.seconds > 0 and l.node_id is not null
        and greatest(o.metered_at, l.connected_at)
          < ${now}::timestamptz - (s.seconds * ${intervals}::float8 + ${marginSeconds}) * interval '1 second'
        and not exists (
          select from charge_point_anomalies a
          where a.charge_point_id = p.id and a.kind = 'slowReadings' and a.last_at > ${now}::timestamptz - interval '1 hour')
      order by o.id`.execute(db);
    return result.rows;
  }

  /** Runs once a minute. Returns how many were found. */
  return async function look(): Promise<number> {
    const now = clock.now();
    const found = await find(now);
    return rows.each(
      'charging.slow-readings',
      found,
      ({ operation_id }) => operation_id,
      (one) =>
        steps.run(async (step) => {
          const { operation_id, charge_point_id, seconds, silent_seconds } = one;
          const details = { configuredSeconds: seconds, silentSeconds: silent_seconds, operation: operation_id };
          const anomaly = { chargePointId: charge_point_id, kind: 'slowReadings', subject: key, details } as const;
          await noteAnomalies(step, [anomaly], now);
          await commands.enqueue(step, {
            chargePointId: charge_point_id,
            action: 'ChangeConfiguration',
            payload: { key, value: String(seconds) },
            operationId: operation_id,
            outcomeTo: 'charging',
          });
        }),
    );
  };
}
