import { sql } from 'kysely';
import type { SiteRoom } from '../charging/moves/site-room.ts';
import { type Database, preparedStatementMarker } from '../platform/database.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import type { Platform } from '../platform/platform.ts';
import { createBatch } from '../platform/rows/batch.ts';
import { keptAt, type WaitingForPower } from './queue-power.ts';
import { roomFor } from './room.ts';
import { siteLimitAt } from './site-limit.ts';
import { connectorsOfSite } from './site-rows.ts';

interface Dependencies extends Pick<Platform, 'db' | 'steps' | 'clock' | 'log'> {
  dueWork: Pick<DueWork, 'wake'>;
  /** A function, because the queue needs the sites first. */
  queue: () => Pick<WaitingForPower, 'of'>;
}

export interface SiteAdmission extends SiteRoom {
  /** The connectors of these stations where no charge may begin now, because their site is full. */
  withoutRoom(stations: readonly number[]): Promise<Set<number>>;
}

const batchMs = 20;
const limits = [
  's.id',
  's.has_queue',
  's.limit_w',
  's.reserve_w',
  's.hours_from',
  's.hours_to',
  's.hours_limit_w',
] as const;

/** Whether a charge may begin at a connector, as far as its site is concerned. Where there is no site, it may. */
export function createSiteAdmission({ db, steps, clock, log, dueWork, queue }: Dependencies): SiteAdmission {
  // Thousands of charges begin at once after a power cut, so one statement is for all that began in this time.
  const planning = createBatch<number, boolean>({
    waitMs: batchMs,
    most: 1_000,
    async run(connectors) {
      const hasSites = await steps.single((of) => planSitesOf(of, connectors, clock.now()));
      return connectors.map(() => hasSites);
    },
  });

  return {
    /**
     * In a step of its own after the commit: the plan of a site locks the site and then operations, so a step that has
     * locked an operation must not wait for the site. What is lost with the process is found by the next regular plan.
     */
    changed(step, connector) {
      step.afterCommit(() => {
        planning.add(connector).then(
          (hasSites) => hasSites && dueWork.wake('site-power'),
          (error: unknown) => log.warn({ err: error, connector }, 'site plan delayed'),
        );
      });
    },

    async lock(step, connector) {
      await sql`
        select from sites s where s.id = (select ss.site_id from connectors c
          join site_stations ss on ss.station_id = c.station_id where c.id = ${connector}) for update`.execute(step.db);
    },

    async lockForStart(step, operation) {
      // Before every due step of an operation, and planning it takes ten times as long as running it.
      await sql`${sql.raw(preparedStatementMarker)}
        select from sites s where s.id = (select ss.site_id from operations o
          join connectors c on c.id = o.connector_id join site_stations ss on ss.station_id = c.station_id
          where o.id = ${operation} and o.status in ('pending', 'starting')) for update`.execute(step.db);
    },

    async mayBegin(step, { connector, operation, user }) {
      const site = await step.db
        .selectFrom('connectors as c')
        .innerJoin('site_stations as ss', 'ss.station_id', 'c.station_id')
        .innerJoin('sites as s', 's.id', 'ss.site_id')
        .select(limits)
        .where('c.id', '=', connector)
        .executeTakeFirst();
      if (!site) return 'yes';
      const now = clock.now();
      const connectors = await connectorsOfSite(step.db, site.id, now.getTime());
      const limitW = siteLimitAt(site, now) - site.reserve_w;
      // An operation that is open came before all who wait.
      const waiting = site.has_queue && operation === null ? await queue().of(step.db, site.id) : [];
      const kept = await keptAt(step.db, waiting, { limitW, connectors, user });
      if (kept.connectors.has(connector)) return 'full';
      return roomFor(limitW, connectors, { connector, operation, promisedW: kept.watts });
    },

    async withoutRoom(stations) {
      if (stations.length === 0) return new Set();
      const sites = await db
        .selectFrom('site_stations as ss')
        .innerJoin('sites as s', 's.id', 'ss.site_id')
        .select(limits)
        .distinct()
        .where('ss.station_id', 'in', stations)
        .execute();
      const now = clock.now();
      const full = new Set<number>();
      for (const site of sites) {
        const connectors = await connectorsOfSite(db, site.id, now.getTime());
        const limitW = siteLimitAt(site, now) - site.reserve_w;
        const waiting = site.has_queue ? await queue().of(db, site.id) : [];
        const kept = await keptAt(db, waiting, { limitW, connectors, user: null });
        const asking = { operation: null, promisedW: kept.watts };
        for (const { id } of connectors)
          if (kept.connectors.has(id) || roomFor(limitW, connectors, { ...asking, connector: id }) === 'full')
            full.add(id);
      }
      return full;
    },
  };
}

/** Plans the sites of these connectors now, as far as they have one. */
async function planSitesOf(db: Database, connectors: readonly number[], now: Date): Promise<boolean> {
  const done = await sql`
    update sites set next_action_at = ${now} where id in (
      select s.id from sites s where s.id in (select ss.site_id from connectors c
        join site_stations ss on ss.station_id = c.station_id where c.id = any(${connectors}::bigint[]))
      order by s.id for update)`.execute(db);
  return (done.numAffectedRows ?? 0n) > 0n;
}
