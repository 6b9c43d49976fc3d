import {
  type ChargePointItem,
  chargePointPage,
  type chargePointStates,
} from '@fpay/contract/admin/network/charge-points';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { attemptOf, type StoredAttempt } from './refused-attempt.ts';

export interface ChargePointFilter {
  q?: string | undefined;
  state?: (typeof chargePointStates)[number] | undefined;
  after?: string | undefined;
}

const mostUnknown = 20;
const contains = (text: string) => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/** Charge points with their stations, and devices that try to connect and are not registered. */
export function createChargePointList(db: Database) {
  const faulted = sql`(p.ocpp_status = 'Faulted' or exists (select from connectors c
    where c.charge_point_id = p.id and c.ocpp_status = 'Faulted'))`;
  const states = {
    all: sql`true`,
    online: sql`p.is_online`,
    offline: sql`not p.is_online`,
    faulted,
    exposed: sql`p.key_exposed_at is not null`,
  };

  return async ({ q = '', state = 'all', after = '' }: ChargePointFilter) => {
    const typed = q.trim();
    const isMatch =
      typed === ''
        ? sql`true`
        : sql`(p.identity ilike ${contains(typed)} or p.model ilike ${contains(typed)} or exists (
            select from connectors c join stations s on s.id = c.station_id
            where c.charge_point_id = p.id and s.number ilike ${contains(typed)}))`;
    const [list, counts, unknown] = await Promise.all([
      sql<Omit<ChargePointItem, 'since'> & { since: Date | null }>`
        select p.id, p.identity, p.is_online, p.online_changed_at as since, p.vendor, p.model, p.firmware_version,
          array(select distinct s.number from connectors c join stations s on s.id = c.station_id
            where c.charge_point_id = p.id order by 1) as stations,
          (select count(*) from connectors c where c.charge_point_id = p.id) as connectors,
          (select count(*) from connectors c where c.charge_point_id = p.id and c.ocpp_status = 'Faulted') as faulted,
          p.key_exposed_at is not null as is_key_exposed
        from charge_points p
        where p.identity > ${after} and ${isMatch} and ${states[state]}
        order by p.identity limit ${chargePointPage}`.execute(db),
      sql<{ all: number; online: number; faulted: number; exposed: number }>`
        select count(*) as all, count(*) filter (where p.is_online) as online,
          count(*) filter (where ${faulted}) as faulted, count(p.key_exposed_at) as exposed from charge_points p`.execute(
        db,
      ),
      sql<StoredAttempt>`
        select r.identity, r.reason, r.address, r.times, r.first_at, r.last_at from refused_connections r
        where r.reason = 'unknown_identity'
          and not exists (select from charge_points p where p.identity = r.identity)
        order by r.last_at desc limit ${mostUnknown}`.execute(db),
    ]);
    const { all = 0, online = 0, faulted: withFaults = 0, exposed = 0 } = counts.rows[0] ?? {};
    return {
      charge_points: list.rows.map((row) => ({ ...row, since: row.since?.toISOString() ?? null })),
      counts: { all, online, offline: all - online, faulted: withFaults, exposed },
      unknown: unknown.rows.map(attemptOf),
    };
  };
}

export type ChargePointList = ReturnType<typeof createChargePointList>;
