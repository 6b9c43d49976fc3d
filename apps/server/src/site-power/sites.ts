import type {
  SiteConnectorView,
  SiteItem,
  SiteQueueRow,
  SiteSettings,
  SiteView,
} from '@fpay/contract/admin/network/sites';
import { wattHours, watts } from '@fpay/contract/money';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { planSite } from './divide.ts';
import { type WaitingForPower, withStatuses } from './queue-power.ts';
import { countedOf, countsAs } from './room.ts';
import { type SiteLimits, siteLimitAt } from './site-limit.ts';
import { connectorsOfSite, type SiteConnectorRow } from './site-rows.ts';
import { planQueue } from './turns.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  audit: Audit;
  dueWork: Pick<DueWork, 'wake'>;
  queue: () => WaitingForPower;
}

/** Sites for staff: their limits, their stations, and how the power is divided now. */
export interface Sites {
  list(): Promise<SiteItem[]>;
  /** @refuses not_found */
  view(id: number): Promise<SiteView>;
  /** @refuses station_not_found */
  add(staff: number, settings: SiteSettings): Promise<{ id: number }>;
  /** @refuses not_found station_not_found */
  change(staff: number, id: number, settings: SiteSettings): Promise<{ id: number }>;
}

const stopsShownMs = 24 * 60 * 60_000;
const mostStops = 20;

interface StoredSite extends SiteLimits {
  id: number;
  name: string;
  has_queue: boolean;
  over_since: Date | null;
}

const hoursOf = ({ hours_from: from, hours_to: to, hours_limit_w: limit }: SiteLimits) =>
  from === null || to === null || limit === null ? null : { from, to, limit: watts(limit) };

const columnsOf = ({ name, limit, reserve, hours, has_queue }: SiteSettings) => ({
  name,
  has_queue,
  limit_w: limit,
  reserve_w: reserve,
  hours_from: hours?.from ?? null,
  hours_to: hours?.to ?? null,
  hours_limit_w: hours?.limit ?? null,
});

export function createSites({ db, steps, clock, audit, dueWork, queue }: Dependencies): Sites {
  const select = (from: Database | Step['db']) =>
    from
      .selectFrom('sites')
      .select([
        'id',
        'name',
        'has_queue',
        'limit_w',
        'reserve_w',
        'hours_from',
        'hours_to',
        'hours_limit_w',
        'over_since',
      ]);

  async function itemOf(site: StoredSite, rows: readonly SiteConnectorRow[]) {
    const { id, name, has_queue, limit_w, reserve_w } = site;
    const stations = await db
      .selectFrom('site_stations')
      .innerJoin('stations', 'stations.id', 'site_stations.station_id')
      .select('stations.number')
      .where('site_id', '=', id)
      .orderBy('stations.number')
      .execute();
    const running = rows.filter(({ isRunning }) => isRunning);
    return {
      id,
      name,
      limit: watts(limit_w),
      limit_now: watts(siteLimitAt(site, clock.now())),
      hours: hoursOf(site),
      has_queue,
      reserve: watts(reserve_w),
      stations: stations.map(({ number }) => number),
      connectors: rows.length,
      charging: running.length,
      power: watts(running.reduce((sum, { drawnW }) => sum + (drawnW ?? 0), 0)),
    };
  }

  /** What devices have accepted. */
  async function fallbacksOf(id: number): Promise<Map<number, number>> {
    const rows = await db
      .selectFrom('site_fallbacks')
      .select(['connector_id', 'limit_w'])
      .where('site_id', '=', id)
      .where('is_accepted', '=', true)
      .execute();
    return new Map(rows.map(({ connector_id, limit_w }) => [connector_id, limit_w]));
  }

  /** The newest first. */
  async function stopsOf(id: number): Promise<SiteView['stops']> {
    const rows = await db
      .selectFrom('operations as o')
      .innerJoin('site_stations as ss', 'ss.station_id', 'o.station_id')
      .innerJoin('stations as s', 's.id', 'o.station_id')
      .innerJoin('connectors as c', 'c.id', 'o.connector_id')
      .select(['o.id', 's.number as station', 'c.ocpp_connector', 'o.stop_requested_at as at', 'o.energy_wh'])
      .where('ss.site_id', '=', id)
      .where('o.stop_cause', '=', 'site_limit')
      .where('o.stop_requested_at', '>', new Date(clock.now().getTime() - stopsShownMs))
      .orderBy('o.stop_requested_at', 'desc')
      .limit(mostStops)
      .execute();
    return rows.flatMap(({ id: operation, station, ocpp_connector: number, at, energy_wh }) =>
      at === null ? [] : [{ operation, station, number, at: at.toISOString(), energy: wattHours(energy_wh) }],
    );
  }

  /** In order. */
  async function queueOf(site: StoredSite, rows: readonly SiteConnectorRow[]): Promise<SiteQueueRow[]> {
    const waiting = await queue().of(db, site.id);
    const now = clock.now();
    const limitW = siteLimitAt(site, now) - site.reserve_w;
    const planned = planQueue(limitW, await withStatuses(db, rows, waiting), waiting);
    return waiting.flatMap(({ id, user, name, connector, since, until }) => {
      const row = rows.find((one) => one.id === connector);
      if (!row) return [];
      const seconds = planned.get(id)?.secondsLeft ?? null;
      return {
        user: { id: user, name },
        station: row.station,
        number: row.number,
        type: row.type,
        since: since.toISOString(),
        turn_at: seconds === null ? null : new Date(now.getTime() + seconds * 1_000).toISOString(),
        head_start_until: until?.toISOString() ?? null,
      };
    });
  }

  const rowsOf = (id: number) => connectorsOfSite(db, id, clock.now().getTime());

  async function settingsOf(step: Step, id: number) {
    const site = await select(step.db).where('id', '=', id).forUpdate().executeTakeFirst();
    if (!site) throw new Refusal('not_found');
    const stations = await step.db
      .selectFrom('site_stations')
      .innerJoin('stations', 'stations.id', 'site_stations.station_id')
      .select('stations.number')
      .where('site_id', '=', id)
      .execute();
    const { name, has_queue, limit_w: limit, reserve_w: reserve } = site;
    return { name, limit, reserve, hours: hoursOf(site), has_queue, stations: stations.map(({ number }) => number) };
  }

  async function setStations(step: Step, id: number, numbers: readonly string[]): Promise<void> {
    await step.db.deleteFrom('site_stations').where('site_id', '=', id).execute();
    const wanted = [...new Set(numbers)];
    if (wanted.length === 0) return;
    const found = await step.db
      .selectFrom('stations')
      .select('id')
      .where('number', 'in', wanted)
      .where('is_virtual', '=', false)
      .execute();
    if (found.length < wanted.length) throw new Refusal('station_not_found');
    await step.db
      .insertInto('site_stations')
      .values(found.map((station) => ({ station_id: station.id, site_id: id })))
      .onConflict((conflict) => conflict.column('station_id').doUpdateSet({ site_id: id }))
      .execute();
  }

  return {
    async list() {
      const sites = await select(db).orderBy('name').execute();
      return Promise.all(sites.map(async (site) => itemOf(site, await rowsOf(site.id))));
    },

    async view(id) {
      const site = await select(db).where('id', '=', id).executeTakeFirst();
      if (!site) throw new Refusal('not_found');
      const rows = await rowsOf(id);
      const fallbacks = await fallbacksOf(id);
      const { subtractedW } = planSite(siteLimitAt(site, clock.now()) - site.reserve_w, rows, 0);
      return {
        ...(await itemOf(site, rows)),
        subtracted: watts(subtractedW),
        counted: watts(rows.reduce((sum, row) => sum + countedOf(row), 0)),
        over_since: site.over_since?.toISOString() ?? null,
        stops: await stopsOf(id),
        rows: rows.map((row) => rowView(row, fallbacks.get(row.id) ?? null)),
        queue: await queueOf(site, rows),
        at: clock.now().toISOString(),
      };
    },

    add(staff, settings) {
      return steps.run(async (step) => {
        const now = clock.now();
        const { id } = await step.db
          .insertInto('sites')
          .values({ ...columnsOf(settings), created_at: now, next_action_at: now })
          .returning('id')
          .executeTakeFirstOrThrow();
        await setStations(step, id, settings.stations);
        await audit(step, { staff, action: 'site.add', subject: { kind: 'site', id }, after: settings });
        step.afterCommit(() => dueWork.wake('site-power'));
        return { id };
      });
    },

    change(staff, id, settings) {
      return steps.run(async (step) => {
        const before = await settingsOf(step, id);
        const values = { ...columnsOf(settings), next_action_at: clock.now() };
        await step.db.updateTable('sites').set(values).where('id', '=', id).execute();
        await setStations(step, id, settings.stations);
        // The queue may have been closed, or a station may have left the site.
        await queue().look(step, id);
        await audit(step, { staff, action: 'site.change', subject: { kind: 'site', id }, before, after: settings });
        step.afterCommit(() => dueWork.wake('site-power'));
        return { id };
      });
    },
  };
}

function rowView(row: SiteConnectorRow, fallbackW: number | null): SiteConnectorView {
  return {
    id: row.id,
    station: row.station,
    number: row.number,
    type: row.type,
    rated: watts(row.ratedW),
    is_online: row.isOnline,
    is_charging: row.isRunning,
    has_profiles: !row.isProfileRefused,
    operation: row.operation,
    user: row.user,
    taken: row.isRunning && row.drawnW !== null ? watts(row.drawnW) : null,
    allowed: row.isRunning && row.capW !== null ? watts(row.capW) : null,
    soc: row.soc,
    counts: watts(countedOf(row)),
    counts_as: countsAs(row),
    fallback: fallbackW === null ? null : watts(fallbackW),
  };
}
