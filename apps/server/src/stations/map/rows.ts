import { isConnectorType } from '@fpay/contract/connectors';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { isStationOnline } from '../connection.ts';
import { factsOf, inPlace, selectConnectors } from '../connector-rows.ts';
import { connectorStatus } from '../connector-status.ts';
import { stationTopic } from '../device-states.ts';
import type { AtlasStation } from './atlas.ts';

/** Large enough to be quick, small enough for memory and the statement's time limit. */
const batchSize = 5_000;

/** Whoever was away for longer gets a whole map. */
const keptMs = 15 * 60_000;

/** Gives what was told of stations its place in the order. Several nodes may do so; the lock makes it one order. */
export async function countChanges(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('station_changes', 0))`.execute(transaction);
    await sql`
      with told as (
        update outbox set is_counted = true where topic = ${stationTopic} and not is_counted returning ref
      )
      insert into station_changes (station_id) select distinct ref::bigint from told`.execute(transaction);
  });
}

/** The last one stays, so that versions never begin anew. */
export async function forgetOldChanges(db: Database): Promise<void> {
  await sql`
    delete from station_changes where created_at < clock_timestamp() - ${keptMs} * interval '1 ms'
      and version < (select max(version) from station_changes)`.execute(db);
}

export interface StationChange {
  stationId: number;
  version: number;
}

/** The newest change of each station after this version, oldest first. */
export async function changesAfter(db: Database, version: number): Promise<StationChange[]> {
  return db
    .selectFrom('station_changes')
    .select((of) => ['station_id as stationId', of.fn.max('version').as('version')])
    .where('version', '>', version)
    .groupBy('station_id')
    .orderBy('version')
    .execute();
}

export async function newestVersion(db: Database): Promise<number> {
  const row = await db
    .selectFrom('station_changes')
    .select((of) => of.fn.max('version').as('newest'))
    .executeTakeFirst();
  return row?.newest ?? 0;
}

/** Versions of another database, as after a restored backup, are not ours: the day it was made tells them apart. */
export async function databaseMark(db: Database): Promise<string> {
  const { rows } = await sql<{ mark: string }>`select md5(min(applied_at)::text) as mark from migrations`.execute(db);
  return rows[0]?.mark.slice(0, 6) ?? '';
}

/** Virtual stations are not on the map: their connectors are, under the stations that have them. */
function selectStations(db: Database) {
  return db
    .selectFrom('stations')
    .leftJoin('parties', (join) =>
      join.onRef('parties.id', '=', 'stations.party_id').on('parties.is_closed', '=', true),
    )
    .select([
      'stations.id',
      'stations.number',
      'stations.address',
      'stations.address_uk',
      'stations.chunk',
      'parties.id as closed_party_id',
    ])
    .where('stations.is_virtual', '=', false);
}

type StationRow = Awaited<ReturnType<ReturnType<typeof selectStations>['execute']>>[number];
type ConnectorRow = Awaited<ReturnType<ReturnType<typeof selectConnectors>['execute']>>[number];

export async function readStations(db: Database, ids: number[]): Promise<AtlasStation[]> {
  const found: AtlasStation[] = [];
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const stations = await selectStations(db).where('stations.id', 'in', batch).execute();
    const connectors = await selectConnectors(db).where('connectors.station_id', 'in', batch).execute();
    found.push(...joined(stations, connectors));
  }
  return found;
}

export async function* readAllStations(db: Database): AsyncGenerator<AtlasStation[]> {
  let last = 0;
  for (;;) {
    const stations = await selectStations(db)
      .where('stations.id', '>', last)
      .orderBy('stations.id')
      .limit(batchSize)
      .execute();
    const end = stations.at(-1)?.id;
    if (end === undefined) return;
    const connectors = await selectConnectors(db)
      .where('connectors.station_id', '>', last)
      .where('connectors.station_id', '<=', end)
      .execute();
    yield joined(stations, connectors);
    last = end;
  }
}

function joined(stations: StationRow[], connectors: ConnectorRow[]): AtlasStation[] {
  const byStation = Map.groupBy(connectors, ({ station_id }) => station_id);
  return stations.map(({ closed_party_id, ...station }) => {
    const own = (byStation.get(station.id) ?? []).sort(inPlace);
    return {
      ...station,
      closedPartyId: closed_party_id,
      is_online: isStationOnline(own.map(factsOf)),
      connectors: own.flatMap((row) =>
        isConnectorType(row.type) ? [{ type: row.type, status: connectorStatus(factsOf(row)) }] : [],
      ),
    };
  });
}
