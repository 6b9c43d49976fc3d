import type { ConnectorType } from '@fpay/contract/connectors';
import { isConnectorType } from '@fpay/contract/connectors';
import { headStartMinutes } from '@fpay/contract/free-alerts';
import type { SitePlace, SiteQueueState } from '@fpay/contract/site-queue';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Viewer } from '../platform/http/session.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { StationStore } from '../stations/store.ts';
import { alertsAnHour, type Deliver, headStartMs, lifeMs, lookAgainMs } from './rules.ts';
import type { FreeAlertStore } from './store.ts';
import { queueClosedNotice, turnNotice } from './texts.ts';

/** A driver of the queue, as the owner of the site's power knows one. */
interface Waiter {
  id: number;
  user: number;
  connector: number;
  isNotified: boolean;
}

/** What the queue needs to know of the power of its site. */
export interface SitePowerOfQueue {
  siteOf(db: Database, connector: number): Promise<{ site: number; isOpen: boolean } | null>;
  lock(step: Step, site: number): Promise<void>;
  plan(
    db: Database | Step['db'],
    site: number,
    queue: readonly Waiter[],
  ): Promise<{
    hasQueue: boolean;
    planned: Map<number, { turn: 'kept' | 'again' | 'now' | 'wait' | 'gone'; secondsLeft: number | null }>;
  }>;
}

/** Drivers who wait until the site of a station has power for another charge. They wait before they pay. */
export interface SiteQueues {
  /** Also keeps the place of a driver whom only this page reaches. @refuses not_found, closed_station */
  at(viewer: Viewer, number: string, connector: number): Promise<SiteQueueState>;
  /** @refuses not_found, closed_station, no_queue, too_many_attempts */
  join(viewer: Viewer, number: string, connector: number): Promise<SitePlace>;
  /** In order. */
  of: FreeAlertStore['waitingForPower'];
  /** The site is locked: notifies the drivers whose turn it is, and lets those go who cannot wait any more. */
  look(step: Step, site: number): Promise<void>;
  /** A place was left; the site is locked. */
  left(step: Step, site: number): Promise<void>;
  /** The site is locked and the place is due. */
  due(step: Step, id: number): Promise<void>;
}

interface Dependencies {
  db: Database;
  store: FreeAlertStore;
  power: SitePowerOfQueue;
  stations: Pick<StationStore, 'connectorsOf' | 'byIds'>;
  stationOf: (viewer: Viewer, number: string) => Promise<number | null>;
  deliver: Deliver;
  /** Some channel reaches this user now. */
  isReachable: (step: Step, user: number) => Promise<boolean>;
  /** The service is shut down, so no driver can pay. */
  isDown: () => boolean;
  steps: Steps;
  limits: RateLimits;
  clock: Clock;
}

type Row = Awaited<ReturnType<FreeAlertStore['lockQueue']>>[number];

/** A page asks every ten seconds. One in a pocket may be late. */
const pageMs = 2 * 60_000;
/** A driver who lets turns pass keeps power from others. */
const unusedTurns = { most: 2, withinMs: 60 * 60_000 };
const newcomer = Number.MAX_SAFE_INTEGER;

export function createSiteQueues(dependencies: Dependencies): SiteQueues {
  const { db, store, power, stations, stationOf, deliver, isReachable, isDown, steps, limits, clock } = dependencies;
  const inMs = (ms: number) => new Date(clock.now().getTime() + ms);
  const earliest = (...instants: (Date | null)[]) =>
    new Date(Math.min(...instants.flatMap((one) => (one === null ? [] : one.getTime()))));

  const waiterOf = (row: Row): Waiter => ({
    id: row.id,
    user: row.user_id,
    connector: row.notified_connector_id ?? row.connector_id ?? 0,
    isNotified: row.notified_connector_id !== null,
  });

  /** The pages of those who wait read their places again. */
  function publish(step: Step, rows: readonly { station_id: number }[]): void {
    for (const station of new Set(rows.map(({ station_id }) => station_id))) step.publish('site-queue', station);
  }

  async function connectorOf(row: Row): Promise<{ number: string; type: ConnectorType; ocppConnector: number } | null> {
    const [home] = await stations.byIds([row.station_id]);
    const found = (await stations.connectorsOf([row.station_id])).find(({ id }) => id === row.connector_id);
    return home && found && isConnectorType(found.type)
      ? { number: home.number, type: found.type, ocppConnector: found.ocppConnector }
      : null;
  }

  async function notify(step: Step, row: Row, kind: 'turn' | 'closed'): Promise<boolean> {
    const at = await connectorOf(row);
    if (!at) return false;
    const about = { station: at.number, type: at.type, connector: at.ocppConnector };
    return deliver(step, row.user_id, (language) => ({
      ...(kind === 'turn' ? turnNotice(about, language) : queueClosedNotice(about, language)),
      path: `/station/${at.number}`,
      tag: `queue-${at.number}`,
      isForSms: true,
      ttlSeconds: headStartMinutes * 60,
    }));
  }

  async function give(step: Step, row: Row): Promise<void> {
    const until = inMs(headStartMs);
    const isSent = await notify(step, row, 'turn');
    // Its channels are gone since, so only the page can show it.
    const pageUntil = row.page_until ?? (isSent ? null : inMs(pageMs));
    if (pageUntil !== null && row.page_until === null) await store.keepPage(step, row.id, pageUntil);
    await store.offer(step, row.id, row.connector_id ?? 0, until, earliest(until, pageUntil));
  }

  async function look(step: Step, site: number): Promise<void> {
    const begun = await store.endOfCharging(step, { site });
    const queue = await store.lockQueue(step, { site });
    if (queue.length === 0) return;
    const { hasQueue, planned } = await power.plan(step.db, site, queue.map(waiterOf));
    let changes = begun;
    for (const row of queue) {
      const turn = hasQueue ? (planned.get(row.id)?.turn ?? 'gone') : 'gone';
      // No driver can pay while the service is shut down.
      if (turn === 'kept' || turn === 'wait' || (turn === 'now' && isDown())) continue;
      changes += 1;
      if (turn === 'now') await give(step, row);
      else if (turn === 'again') await store.waitAgain(step, row.id, earliest(inMs(lookAgainMs), row.page_until));
      else {
        await store.end(step, row.id, 'closed');
        await notify(step, row, 'closed');
      }
    }
    if (changes > 0) publish(step, queue);
  }

  async function stateOf(viewer: Viewer, site: number, connector: number) {
    const place = await store.placeOf(viewer.id, site);
    const queue = await store.waitingForPower(db, site);
    const asking = { id: newcomer, user: viewer.id, connector, isNotified: false };
    const { planned } = await power.plan(db, site, place ? queue : [...queue, asking]);
    const seconds = planned.get(place?.id ?? newcomer)?.secondsLeft ?? null;
    const turnAt = seconds === null ? null : inMs(seconds * 1_000).toISOString();
    return { place, turnAt, waiting: queue.length };
  }

  function viewOf(
    place: NonNullable<Awaited<ReturnType<FreeAlertStore['placeOf']>>>,
    turnAt: string | null,
  ): SitePlace {
    return {
      id: place.id,
      connector: place.connector_id ?? 0,
      ahead: place.ahead,
      turn_at: place.head_start_until === null ? turnAt : null,
      head_start_until: place.head_start_until?.toISOString() ?? null,
      expires_at: place.expires_at.toISOString(),
    };
  }

  async function visible(viewer: Viewer, number: string, connector: number) {
    const station = await stationOf(viewer, number);
    if (station === null) throw new Refusal('not_found');
    const found = (await stations.connectorsOf([station])).find(({ id }) => id === connector);
    if (!found) throw new Refusal('not_found');
    return { station, type: found.type };
  }

  return {
    of: store.waitingForPower,
    look,

    async at(viewer, number, connector) {
      await visible(viewer, number, connector);
      const found = await power.siteOf(db, connector);
      const is_reachable = await steps.run((step) => isReachable(step, viewer.id));
      const none = { is_open: false, waiting: 0, turn_at: null, is_reachable, place: null };
      if (!found) return none;
      const { place, turnAt, waiting } = await stateOf(viewer, found.site, connector);
      if (!place) return found.isOpen ? { ...none, is_open: true, waiting, turn_at: turnAt } : none;
      if (!is_reachable || place.page_until !== null) await store.follow(place.id, is_reachable ? null : inMs(pageMs));
      return { is_open: found.isOpen, waiting, turn_at: turnAt, is_reachable, place: viewOf(place, turnAt) };
    },

    async join(viewer, number, connector) {
      const { station, type } = await visible(viewer, number, connector);
      const found = await power.siteOf(db, connector);
      if (!found?.isOpen) throw new Refusal('no_queue');
      const { site } = found;
      await limits.take({ key: `free-alert:user:${viewer.id}`, ...alertsAnHour });
      await steps.run(async (step) => {
        await power.lock(step, site);
        const since = inMs(-unusedTurns.withinMs);
        if ((await store.unusedTurns(step, { user: viewer.id, site, since })) >= unusedTurns.most)
          throw new Refusal('too_many_attempts', { retryAfter: unusedTurns.withinMs / 1_000 });
        const pageUntil = (await isReachable(step, viewer.id)) ? null : inMs(pageMs);
        const lookAt = earliest(inMs(lookAgainMs), pageUntil);
        const place = { user: viewer.id, site, station, type, connector, expiresAt: inMs(lifeMs), lookAt, pageUntil };
        await store.join(step, place);
        // There may be power since the driver was refused, and the queue may have been closed.
        await look(step, site);
        publish(step, await store.lockQueue(step, { site }));
      });
      const { place, turnAt } = await stateOf(viewer, site, connector);
      if (!place) throw new Refusal('no_queue');
      return viewOf(place, turnAt);
    },

    async left(step, site) {
      publish(step, await store.lockQueue(step, { site }));
      await look(step, site);
    },

    async due(step, id) {
      const row = await store.find(step, id);
      if (!row || row.ended_at !== null || row.site_id === null) return;
      const now = clock.now();
      const isOver = row.head_start_until !== null && row.head_start_until <= now;
      const isUnseen = row.page_until !== null && row.page_until <= now;
      if (isDown()) {
        // Neither the turn nor the page could do anything meanwhile.
        if (row.page_until !== null) await store.keepPage(step, id, inMs(pageMs));
        if (isOver) await store.waitAgain(step, id, inMs(lookAgainMs));
        else await store.lookAgain(step, id, earliest(inMs(lookAgainMs), row.head_start_until));
      } else if (isUnseen) await store.end(step, id, 'unseen');
      else if (isOver) await store.end(step, id, 'passed');
      else if (row.head_start_until === null && row.expires_at <= now) await store.end(step, id, 'expired');
      else {
        const next = row.head_start_until ?? earliest(row.expires_at, inMs(lookAgainMs));
        await store.lookAgain(step, id, earliest(next, row.page_until));
      }
      publish(step, [row, ...(await store.lockQueue(step, { site: row.site_id }))]);
      await look(step, row.site_id);
    },
  };
}
