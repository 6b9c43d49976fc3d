import { randomBytes, randomInt } from 'node:crypto';
import type { TestServer } from './server.ts';

type Status = 'created' | 'pending' | 'starting' | 'ongoing' | 'finishing' | 'finished';

/** An operation in a given state, with the station it needs, for tests of other features. */
export async function addOperation(
  { db }: Pick<TestServer, 'db'>,
  userId: number,
  status: Status,
  now = new Date(),
): Promise<number> {
  const tag = randomBytes(8).toString('hex').toUpperCase();
  const { point, station, connector } = await addPlace(db, tag, now);
  const operation = await db
    .insertInto('operations')
    .values({
      user_id: userId,
      station_id: station.id,
      connector_id: connector.id,
      charge_point_id: point.id,
      status,
      payment_type: 'bank',
      target: 'uah',
      price: 15_00,
      deposit: 300_00,
      energy_limit_wh: 20_000,
      id_tag: tag,
      created_at: now,
      status_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return operation.id;
}

async function addPlace(db: TestServer['db'], tag: string, now: Date) {
  const point = await db
    .insertInto('charge_points')
    .values({ identity: `CP-${tag}`, key_hash: randomBytes(32), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const tariff = await db
    .insertInto('tariffs')
    .values({ name: `Tariff ${tag}`, price: 15_00 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const station = await db
    .insertInto('stations')
    .values({
      number: `F${randomInt(1_000_000, 99_999_999)}`,
      address: 'A',
      address_uk: 'А',
      lat: 48.46,
      lon: 35.04,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const connector = await db
    .insertInto('connectors')
    .values({
      station_id: station.id,
      charge_point_id: point.id,
      ocpp_connector: 1,
      type: 'ccstype2',
      power_w: 60_000,
      tariff_id: tariff.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { point, station, connector };
}
