import { type ConnectorStatus, type ConnectorType, isConnectorType } from '@fpay/contract/connectors';
import { type FreeAlert, headStartMinutes } from '@fpay/contract/free-alerts';
import type { Clock } from '../platform/clock.ts';
import type { Viewer } from '../platform/http/session.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import { createBatch } from '../platform/rows/batch.ts';
import type { Step, Steps } from '../platform/step.ts';
import { connectorStatus } from '../stations/connector-status.ts';
import type { StationStore } from '../stations/store.ts';
import { offersOf } from './queue.ts';
import { alertsAnHour, type Deliver, headStartMs, lifeMs, lookAgainMs } from './rules.ts';
import type { SitePowerOfQueue, SiteQueues } from './site-queue.ts';
import { type FreeAlertStore, queueOf } from './store.ts';
import { freeNotice } from './texts.ts';

/** Drivers who wait for a free connector. */
export interface FreeAlerts {
  /** @refuses not_found, closed_station */
  at(
    viewer: Viewer,
    number: string,
  ): Promise<{
    alert: FreeAlert | null;
    waiting: { connector_type: ConnectorType; count: number }[];
    expires_at: string;
  }>;
  /** @refuses not_found, closed_station, too_many_attempts */
  add(viewer: Viewer, number: string, wanted: { type: ConnectorType; connector: number | null }): Promise<FreeAlert>;
  /** @refuses not_found */
  remove(viewer: Viewer, id: number): Promise<void>;
  /** A station has changed: notifies the drivers whose turn it is. */
  stationChanged(station: number): Promise<void>;
}

interface Dependencies {
  store: FreeAlertStore;
  stations: Pick<StationStore, 'connectorsOf' | 'byIds'>;
  /** The id of a station that the viewer may see; null when there is none with this number. */
  stationOf: (viewer: Viewer, number: string) => Promise<number | null>;
  deliver: Deliver;
  siteQueues: Pick<SiteQueues, 'due' | 'left'>;
  power: Pick<SitePowerOfQueue, 'lock'>;
  steps: Steps;
  dueWork: Pick<DueWork, 'register'>;
  limits: RateLimits;
  clock: Clock;
}

function isTaken(status: ConnectorStatus | undefined): boolean {
  return status === 'charging' || status === 'occupied';
}

/** Stations change thousands of times a second after a storm, and hardly any has a queue, so one query is for many of them. */
const batchMs = 50;

export function createFreeAlerts(dependencies: Dependencies): FreeAlerts {
  const { store, stations, stationOf, deliver, siteQueues, power, steps, dueWork, limits, clock } = dependencies;
  const inMs = (ms: number) => new Date(clock.now().getTime() + ms);
  /** For each event, whether its station must be looked at: once for all events of a station that came together. */
  const queues = createBatch<number, boolean>({
    waitMs: batchMs,
    most: 10_000,
    async run(ids) {
      const waiting = await store.withQueue([...new Set(ids)]);
      return ids.map((id) => waiting.delete(id));
    },
  });

  dueWork.register({
    name: 'free-alert',
    table: 'free_alerts',
    lockFirst: lockQueueOf,
    // The head start has passed, the alert has expired, or an event of the station was missed.
    async act(step, id) {
      const row = await store.find(step, id);
      if (!row || row.ended_at !== null) return;
      if (row.site_id !== null) return siteQueues.due(step, id);
      if (row.head_start_until !== null) await store.end(step, id, 'passed');
      else if (row.expires_at <= clock.now()) await store.end(step, id, 'expired');
      else await store.lookAgain(step, id, new Date(Math.min(row.expires_at.getTime(), inMs(lookAgainMs).getTime())));
      await offer(step, row.station_id);
    },
  });

  /** Before any row of a queue is changed, so that two steps have its rows in the same order. */
  async function lockQueueOf(step: Step, id: number): Promise<void> {
    const row = await store.find(step, id);
    if (!row) return;
    if (row.site_id !== null) await power.lock(step, row.site_id);
    await store.lockQueue(step, queueOf(row));
  }

  /** The caller has locked the queue, so two nodes that see the same free connector offer it once. */
  async function offer(step: Step, station: number): Promise<void> {
    await store.endOfCharging(step, { station });
    const locked = await store.lockQueue(step, { station });
    if (locked.length === 0) return;
    const connectors = await stations.connectorsOf([station]);
    const statuses = new Map(connectors.map(({ id, facts }) => [id, connectorStatus(facts)]));
    const free = connectors.filter(({ id }) => statuses.get(id) === 'free');
    // Another driver took the connector before the one who was notified came, so that one waits again, at the same place.
    const lost = locked.filter(({ notified_connector_id: id }) => id !== null && isTaken(statuses.get(id)));
    for (const { id } of lost) await store.waitAgain(step, id, inMs(lookAgainMs));
    const queue = locked.map((row) =>
      lost.includes(row) ? { ...row, notified_connector_id: null, head_start_until: null } : row,
    );
    const waiting = queue.filter(({ head_start_until }) => head_start_until === null);
    const offered = new Set(queue.flatMap(({ notified_connector_id: id }) => (id === null ? [] : [id])));
    const offers = offersOf(
      waiting.map((row) => ({ id: row.id, type: row.connector_type, connector: row.connector_id })),
      free,
      offered,
    );
    const [home] = await stations.byIds([station]);
    for (const { alert, connector } of offers) {
      const row = waiting.find(({ id }) => id === alert);
      const found = free.find(({ id }) => id === connector);
      if (!row || !found || !home || !isConnectorType(found.type)) continue;
      await store.offer(step, alert, connector, inMs(headStartMs));
      const about = { station: home.number, type: found.type, connector: found.ocppConnector };
      await deliver(step, row.user_id, (language) => ({
        ...freeNotice(about, language),
        path: `/station/${home.number}`,
        tag: `free-${home.number}`,
        isForSms: true,
        ttlSeconds: headStartMinutes * 60,
      }));
    }
  }

  async function visible(viewer: Viewer, number: string): Promise<number> {
    const station = await stationOf(viewer, number);
    if (station === null) throw new Refusal('not_found');
    return station;
  }

  async function alertOf(user: number, station: number): Promise<FreeAlert | null> {
    const row = await store.ofUser(user, station);
    if (!row || !isConnectorType(row.connector_type)) return null;
    return {
      id: row.id,
      connector_type: row.connector_type,
      connector: row.connector_id,
      ahead: row.ahead ?? 0,
      expires_at: row.expires_at.toISOString(),
      head_start_until: row.head_start_until?.toISOString() ?? null,
    };
  }

  return {
    async at(viewer, number) {
      const station = await visible(viewer, number);
      const waiting = await store.waitingAt(station, viewer.id);
      return {
        alert: await alertOf(viewer.id, station),
        waiting: waiting.flatMap(({ type, count }) => (isConnectorType(type) ? [{ connector_type: type, count }] : [])),
        expires_at: inMs(lifeMs).toISOString(),
      };
    },

    async add(viewer, number, { type, connector }) {
      const station = await visible(viewer, number);
      const connectors = await stations.connectorsOf([station]);
      const fits = connectors.some((one) => one.type === type && (connector === null || one.id === connector));
      if (!fits) throw new Refusal('not_found');
      await limits.take({ key: `free-alert:user:${viewer.id}`, ...alertsAnHour });
      await steps.run(async (step) => {
        await store.lockQueue(step, { station });
        await store.add(step, {
          user: viewer.id,
          station,
          type,
          connector,
          expiresAt: inMs(lifeMs),
          lookAt: inMs(lookAgainMs),
        });
        // It may have become free while the driver was reading.
        await offer(step, station);
      });
      const alert = await alertOf(viewer.id, station);
      if (!alert) throw new Refusal('not_found');
      return alert;
    },

    async remove(viewer, id) {
      await steps.run(async (step) => {
        await lockQueueOf(step, id);
        const ended = await store.end(step, id, 'withdrawn', viewer.id);
        if (!ended) throw new Refusal('not_found');
        if ('station' in ended) return offer(step, ended.station);
        await siteQueues.left(step, ended.site);
      });
    },

    async stationChanged(station) {
      if (!(await queues.add(station))) return;
      await steps.run(async (step) => {
        await store.lockQueue(step, { station });
        await offer(step, station);
      });
    },
  };
}
