import {
  addFavourite,
  type KnownStation,
  knownStations,
  mostFavourites,
  removeFavourite,
} from '@fpay/contract/favourites';
import { sql } from 'kysely';
import type { Routes } from '../platform/http/routes.ts';
import type { Viewer } from '../platform/http/session.ts';
import type { Platform } from '../platform/platform.ts';
import { Refusal } from '../platform/refusal.ts';
import type { UserTables } from '../platform/user-tables.ts';

export interface FavouriteDependencies extends Pick<Platform, 'db' | 'clock'> {
  /** The id of a station that the viewer may see; null when there is none with this number. Refuses outsiders. */
  stationOf: (viewer: Viewer, number: string) => Promise<number | null>;
}

export interface Favourites {
  userTables: UserTables;
  routes(routes: Routes): void;
}

/** Stations where a driver charged lately, besides the favourites. */
const mostRecent = 5;

const favouriteUserTables: UserTables = {
  favourite_stations: {
    async onUserMerged(step, from, to) {
      await sql`insert into favourite_stations (user_id, station_id, created_at)
        select ${to}, station_id, created_at from favourite_stations where user_id = ${from}
        on conflict do nothing`.execute(step.db);
      await step.db.deleteFrom('favourite_stations').where('user_id', '=', from).execute();
    },
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('favourite_stations').where('user_id', '=', user).execute();
    },
  },
};

/** The stations that a driver has marked, and those of the latest charges. */
export function createFavourites({ db, clock, stationOf }: FavouriteDependencies): Favourites {
  async function known(user: number): Promise<KnownStation[]> {
    const { rows } = await sql<Omit<KnownStation, 'charged_at'> & { charged_at: Date | null }>`
      with last as (
        select station_id, max(created_at) as charged_at from (
          select station_id, created_at from operations where user_id = ${user} order by id desc limit 200) o
        group by station_id),
      recent as (select station_id from last order by charged_at desc limit ${mostRecent})
      select s.number, s.address, s.address_uk, s.lat, s.lon, f.user_id is not null as is_favourite, l.charged_at
      from stations s
      left join favourite_stations f on f.station_id = s.id and f.user_id = ${user}
      left join last l on l.station_id = s.id
      where f.user_id is not null or s.id in (select station_id from recent)
      order by f.user_id is null, f.created_at desc, l.charged_at desc nulls last`.execute(db);
    return rows.map((row) => ({ ...row, charged_at: row.charged_at?.toISOString() ?? null }));
  }

  async function add(viewer: Viewer, number: string): Promise<void> {
    const station = await stationOf(viewer, number);
    if (station === null) throw new Refusal('not_found');
    const added = await sql`insert into favourite_stations (user_id, station_id, created_at)
      select ${viewer.id}, ${station}, ${clock.now()}
      where (select count(*) from favourite_stations where user_id = ${viewer.id}) < ${mostFavourites}
      on conflict (user_id, station_id) do update set station_id = excluded.station_id returning 1`.execute(db);
    if (added.rows.length === 0) throw new Refusal('too_many_favourites');
  }

  async function remove(user: number, number: string): Promise<void> {
    await db
      .deleteFrom('favourite_stations')
      .where('user_id', '=', user)
      .where('station_id', 'in', (query) => query.selectFrom('stations').select('id').where('number', '=', number))
      .execute();
  }

  return {
    userTables: favouriteUserTables,
    routes(routes: Routes): void {
      routes.on(knownStations, ({ viewer }) => known(viewer.id));
      routes.on(addFavourite, async ({ viewer, params }) => {
        await add(viewer, params.number);
        return undefined;
      });
      routes.on(removeFavourite, async ({ viewer, params }) => {
        await remove(viewer.id, params.number);
        return undefined;
      });
    },
  };
}
