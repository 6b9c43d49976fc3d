import { sql } from 'kysely';
import { deviceKinds } from '../src/demo/network/devices.ts';
import { demoCities } from '../src/demo/network/plan.ts';
import type { Database } from '../src/platform/database.ts';

const batchSize = 5_000;
const words = ['Available', 'Available', 'Available', 'Preparing', 'Charging', 'Charging', 'Finishing', 'Faulted'];

/** Repeatable, so that two runs measure the same map. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Writes a network of any size in the demo's cities; places and statuses are random. */
export async function writeLargeNetwork(db: Database, count: number): Promise<void> {
  const next = createRandom(50_000);
  const of = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  await sql`insert into tariffs (name, price) values ('bench', 1500)`.execute(db);
  for (let first = 0; first < count; first += batchSize) {
    const stations = Array.from({ length: Math.min(batchSize, count - first) }, (_, index) => {
      const city = of(demoCities);
      const street = of(city.streets);
      const house = 1 + Math.floor(next() * 250);
      return {
        number: `F${10_000 + first + index}`,
        address: `${street.en}, ${house}, ${city.en}`,
        address_uk: `${street.uk}, ${house}, ${city.uk}`,
        lat: street.lat + (next() - 0.5) * 0.2,
        lon: street.lon + (next() - 0.5) * 0.3,
        is_online: next() < 0.95,
        connectors: of(Object.values(deviceKinds)).connectors.map(({ type, powerW }) => ({
          type,
          power: powerW,
          status: of(words),
        })),
      };
    });
    await sql`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(stations)}::jsonb) as given (number text, address text,
          address_uk text, lat float8, lon float8, is_online boolean, connectors jsonb)
      ), new_stations as (
        insert into stations (number, address, address_uk, lat, lon, created_at)
        select number, address, address_uk, lat, lon, now() from given returning id, number
      ), new_charge_points as (
        insert into charge_points (identity, key_hash, is_online, created_at)
        select 'CP-' || number, '', is_online, now() from given returning id, identity
      )
      insert into connectors (station_id, charge_point_id, ocpp_connector, type, power_w, tariff_id, ocpp_status)
      select s.id, c.id, k.position, k.connector ->> 'type', (k.connector ->> 'power')::int,
        (select id from tariffs where name = 'bench'), k.connector ->> 'status'
      from given g
      join new_stations s on s.number = g.number
      join new_charge_points c on c.identity = 'CP-' || g.number
      cross join lateral jsonb_array_elements(g.connectors) with ordinality as k (connector, position)`.execute(db);
  }
  await sql`analyze`.execute(db);
}
