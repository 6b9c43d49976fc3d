import type { OperationStatus } from '@fpay/contract/charging';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';

/** Operations belong to charging; money only needs rows that its payments can refer to. */
export function createOperationFixture(db: Database, clock: { now(): Date }) {
  let place: { station: number; chargePoint: number; tariff: number } | null = null;
  let count = 0;

  async function placeOf() {
    if (place) return place;
    const at = clock.now();
    const tag = `${process.pid}-${Math.random().toString(36).slice(2)}`;
    const { rows } = await sql<{ station: number; charge_point: number; tariff: number }>`
      with c as (insert into charge_points (identity, key_hash, created_at) values (${`CP-${tag}`}, '\\x00', ${at}) returning id),
        t as (insert into tariffs (name, price) values (${`tariff ${tag}`}, 1000) returning id),
        s as (insert into stations (number, address, address_uk, lat, lon, created_at)
          values (${`F${tag}`}, 'Khreshchatyk 1, Kyiv', 'Хрещатик 1, Київ', 50.45, 30.52, ${at}) returning id)
      select s.id as station, c.id as charge_point, t.id as tariff from s, c, t`.execute(db);
    const row = rows[0];
    if (!row) throw new Error('no place');
    place = { station: row.station, chargePoint: row.charge_point, tariff: row.tariff };
    return place;
  }

  return async function addOperation(
    user: number,
    more: {
      deposit?: number;
      paymentType?: 'bank' | 'bonuses' | 'free';
      status?: OperationStatus;
      energy?: number;
      total?: number;
    } = {},
  ): Promise<number> {
    const { station, chargePoint, tariff } = await placeOf();
    count += 1;
    const connector = await db
      .insertInto('connectors')
      .values({
        station_id: station,
        charge_point_id: chargePoint,
        ocpp_connector: count,
        type: 'ccstype2',
        power_w: 60_000,
        tariff_id: tariff,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = await db
      .insertInto('operations')
      .values({
        user_id: user,
        station_id: station,
        connector_id: connector.id,
        charge_point_id: chargePoint,
        // A user has one operation by card in `created`; these tests open several.
        status: more.status ?? (more.paymentType === 'bank' ? 'pending' : 'created'),
        payment_type: more.paymentType ?? 'bonuses',
        target: 'uah',
        price: 1000,
        deposit: more.deposit ?? 100_00,
        id_tag: `TAG${Math.random().toString(36).slice(2).toUpperCase()}`,
        energy_wh: more.energy ?? 0,
        total: more.total ?? 0,
        started_at: clock.now(),
        finished_at: more.status === 'finished' ? clock.now() : null,
        created_at: clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
}
