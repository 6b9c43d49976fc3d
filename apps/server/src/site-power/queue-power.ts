import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';
import { connectorsToBeginAt } from '../stations/connector-rows.ts';
import { startPowerOf } from './divide.ts';
import { siteLimitAt } from './site-limit.ts';
import { connectorsOfSite, type SiteConnectorRow } from './site-rows.ts';
import { keptBefore, type Planned, type PowerWaiter, planQueue } from './turns.ts';

/** Drivers who wait for power, as the owner of their queue knows them. */
export interface WaitingForPower {
  /** In order. */
  of(
    db: Database | Step['db'],
    site: number,
  ): Promise<(PowerWaiter & { name: string; since: Date; until: Date | null })[]>;
  /** The site is locked: drivers whose turn it is are notified, and those who cannot wait any more are let go. */
  look(step: Step, site: number): Promise<void>;
}

/** What the queue of a site needs to know of its power. */
export interface QueuePower {
  /** The site of a connector, and whether drivers may wait for power at it; null without a site. */
  siteOf(db: Database | Step['db'], connector: number): Promise<{ site: number; isOpen: boolean } | null>;
  /** Every step that asks for power or changes the queue has this lock first. */
  lock(step: Step, site: number): Promise<void>;
  plan(
    db: Database | Step['db'],
    site: number,
    queue: readonly PowerWaiter[],
  ): Promise<{ hasQueue: boolean; planned: Map<number, Planned> }>;
}

/** What is kept for the drivers of a queue, of whom the caller may be one. */
export async function keptAt(
  db: Database | Step['db'],
  queue: readonly PowerWaiter[],
  { limitW, connectors, user }: { limitW: number; connectors: readonly SiteConnectorRow[]; user: number | null },
): Promise<{ watts: number; connectors: Set<number> }> {
  if (queue.length === 0) return { watts: 0, connectors: new Set() };
  return keptBefore(user, queue, planQueue(limitW, await withStatuses(db, connectors, queue), queue));
}

export async function withStatuses(
  db: Database | Step['db'],
  connectors: readonly SiteConnectorRow[],
  queue: readonly PowerWaiter[],
) {
  const waitedFor = [...new Set(queue.map(({ connector }) => connector))];
  const beginnable = await connectorsToBeginAt(db, waitedFor);
  return connectors.map((one) => ({ ...one, canBegin: beginnable.has(one.id) }));
}

export function createQueuePower({ clock }: { clock: Clock }): QueuePower {
  const limitsOf = (db: Database | Step['db'], site: number) =>
    db
      .selectFrom('sites')
      .select(['id', 'has_queue', 'limit_w', 'reserve_w', 'hours_from', 'hours_to', 'hours_limit_w'])
      .where('id', '=', site)
      .executeTakeFirst();

  return {
    async siteOf(db, connector) {
      const found = await db
        .selectFrom('connectors as c')
        .innerJoin('site_stations as ss', 'ss.station_id', 'c.station_id')
        .select('ss.site_id')
        .where('c.id', '=', connector)
        .executeTakeFirst();
      const site = found && (await limitsOf(db, found.site_id));
      if (!site) return null;
      const now = clock.now();
      const own = (await connectorsOfSite(db, site.id, now.getTime())).find(({ id }) => id === connector);
      const mostW = siteLimitAt(site, now) - site.reserve_w;
      // More than the whole site may give never comes.
      return { site: site.id, isOpen: site.has_queue && own !== undefined && startPowerOf(own) <= mostW };
    },

    async lock(step, site) {
      await sql`select from sites where id = ${site} for update`.execute(step.db);
    },

    async plan(db, id, queue) {
      const site = await limitsOf(db, id);
      if (!site?.has_queue) return { hasQueue: false, planned: new Map() };
      const now = clock.now();
      const connectors = await withStatuses(db, await connectorsOfSite(db, id, now.getTime()), queue);
      return { hasQueue: true, planned: planQueue(siteLimitAt(site, now) - site.reserve_w, connectors, queue) };
    },
  };
}
