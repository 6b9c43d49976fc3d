import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';

export interface ReadingsOfOperation {
  beganAt: Date | null;
  /** Since the beginning, one for each point. */
  seconds: number[];
  energyWh: number[];
  powerW: (number | null)[];
}

/** The readings of an operation over time, for its driver, its receipt and staff. */
export interface OperationReadings {
  /** At most 200 points. */
  curve(id: number): Promise<ReadingsOfOperation>;
  /** The car's state of charge at the first and the latest reading that has one. */
  stateOfCharge(id: number): Promise<{ first: number | null; last: number | null }>;
}

export function createOperationReadings(db: Database): OperationReadings {
  return {
    /** A running charge has no stored curve yet, so its readings are thinned in the same way. */
    async curve(id: number): Promise<ReadingsOfOperation> {
      const kept = await db
        .selectFrom('operation_curves')
        .selectAll()
        .where('operation_id', '=', id)
        .executeTakeFirst();
      if (kept) {
        return { beganAt: kept.began_at, seconds: kept.seconds, energyWh: kept.energy_wh, powerW: kept.power_w };
      }
      const { rows } = await sql<{ at: Date; energy: number; power: number | null }>`
        select sampled_at as at, energy, power_w as power from (
          select m.sampled_at, m.power_w, row_number() over of_operation as n, count(*) over () as of,
            greatest(0, coalesce(max(m.energy_wh) over of_operation - min(t.meter_start_wh) over (), 0))::bigint as energy
          from ocpp_transactions t join meter_samples m on m.ocpp_transaction_id = t.id
          where t.operation_id = ${id} and (m.energy_wh is not null or m.power_w is not null)
          window of_operation as (order by m.sampled_at, m.context)) readings
        where n = 1 or n * 199 / of <> (n - 1) * 199 / of order by sampled_at`.execute(db);
      const began = rows[0]?.at ?? null;
      return {
        beganAt: began,
        seconds: rows.map(({ at }) => Math.floor((at.getTime() - (began?.getTime() ?? 0)) / 1000)),
        energyWh: rows.map(({ energy }) => Number(energy)),
        powerW: rows.map(({ power }) => power),
      };
    },

    async stateOfCharge(id: number): Promise<{ first: number | null; last: number | null }> {
      const { rows } = await sql<{ first: number | null; last: number | null }>`
        select (array_agg(m.soc order by m.sampled_at))[1] as first, (array_agg(m.soc order by m.sampled_at desc))[1] as last
        from ocpp_transactions t join meter_samples m on m.ocpp_transaction_id = t.id
        where t.operation_id = ${id} and m.soc is not null`.execute(db);
      return rows[0] ?? { first: null, last: null };
    },
  };
}
