import { isConnectorType } from '@fpay/contract/connectors';
import { sql } from 'kysely';
import { closedParties } from '../../party/store.ts';
import type { Database } from '../../platform/database.ts';
import { countEvents } from '../../platform/outbox.ts';
import { isStationOnline } from '../connection.ts';
import { factsOf, inPlace, selectConnectors } from '../connector-rows.ts';
import { connectorStatus } from '../connector-status.ts';
import type { IndexedStation } from './atlas.ts';

/** Large enough to be fast, small enough for memory and the statement timeout. */
const batchSize = 5_000;

/** A client that was away for longer gets a whole map. */
const keptMs = 15 * 60_000;

/** Numbers the published station changes. Several nodes may do so; the lock makes it one sequence. */
export async function countChanges(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('station_changes', 0))`.execute(transaction);
    await sql`
      with counted as (${countEvents('station')})
      insert into station_changes (station_id) select distinct ref::bigint from counted`.execute(transaction);
  });
}

/** The last row stays, so that version numbers never restart. */
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

/** Virtual and retired stations are not on the map; connectors of virtual ones are, under their real stations. */
function selectStations(db: Database) {
  return db
    .selectFrom('stations')
    .leftJoin(closedParties(db).as('closed'), 'closed.id', 'stations.party_id')
    .select([
      'stations.id',
      'stations.number',
      'stations.address',
      'stations.address_uk',
      'stations.chunk',
      'closed.id as closed_party_id',
    ])
    .where('stations.is_virtual', '=', false)
    .where('stations.retired_at', 'is', null);
}

type StationRow = Awaited<ReturnType<ReturnType<typeof selectStations>['execute']>>[number];
type ConnectorRow = Awaited<ReturnType<ReturnType<typeof selectConnectors>['execute']>>[number];

export async function readStations(db: Database, ids: number[]): Promise<IndexedStation[]> {
  const found: IndexedStation[] = [];
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    const stations = await selectStations(db).where('stations.id', 'in', batch).execute();
    const connectors = await selectConnectors(db).where('connectors.station_id', 'in', batch).execute();
    found.push(...joined(stations, connectors));
  }
  return found;
}

export async function* readAllStations(db: Database): AsyncGenerator<IndexedStation[]> {
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

function joined(stations: StationRow[], connectors: ConnectorRow[]): IndexedStation[] {
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
