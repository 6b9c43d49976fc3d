import { addFreeAlert, freeAlertAt, removeFreeAlert } from '@fpay/contract/free-alerts';
import { joinSiteQueue, siteQueueAt } from '@fpay/contract/site-queue';
import type { Clock } from '../platform/clock.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Viewer } from '../platform/http/session.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import type { UserTables } from '../platform/user-tables.ts';
import type { StationStore } from '../stations/store.ts';
import type { Deliver } from './rules.ts';
import { createFreeAlerts, type FreeAlerts } from './service.ts';
import { createSiteQueues, type SitePowerOfQueue, type SiteQueues } from './site-queue.ts';
import { createFreeAlertStore } from './store.ts';

export interface FreeAlertDependencies
  extends Pick<Platform, 'db' | 'steps' | 'outbox' | 'dueWork' | 'limits' | 'clock' | 'log'> {
  stations: Pick<StationStore, 'connectorsOf' | 'byIds'>;
  stationOf: (viewer: Viewer, number: string) => Promise<number | null>;
  deliver: Deliver;
  isReachable: (step: Step, user: number) => Promise<boolean>;
  power: SitePowerOfQueue;
  isDown: () => boolean;
}

export interface FreeAlertsFeature {
  service: FreeAlerts;
  siteQueues: SiteQueues;
  userTables: UserTables;
  routes(routes: Routes): void;
  /** On workers: follows the states of stations. Returns a function that stops it. */
  start(): () => void;
}

/** The place in the queue of a site stays, because the driver goes on waiting. Of two places the earlier one counts. */
async function keepPlaces(step: Step, from: number, to: number): Promise<void> {
  const places = await step.db
    .selectFrom('free_alerts')
    .select(['id', 'user_id', 'site_id'])
    .where('user_id', 'in', [from, to])
    .where('site_id', 'is not', null)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const [, [first, second]] of Map.groupBy(places, ({ site_id }) => site_id)) {
    if (!first) continue;
    if (second) await step.db.deleteFrom('free_alerts').where('id', '=', second.id).execute();
    if (first.user_id === from)
      await step.db.updateTable('free_alerts').set({ user_id: to }).where('id', '=', first.id).execute();
  }
}

const createFreeAlertUserTables = (clock: Clock): UserTables => ({
  free_alerts: {
    // The account may wait at the same station already, and one alert is enough.
    async onUserMerged(step, from, to) {
      await keepPlaces(step, from, to);
      const ended = { ended_at: clock.now(), end_reason: 'replaced', next_action_at: null };
      await step.db
        .updateTable('free_alerts')
        .set(ended)
        .where('user_id', '=', from)
        .where('ended_at', 'is', null)
        .execute();
    },
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('free_alerts').where('user_id', '=', user).execute();
    },
  },
});

/** Alerts for free connectors, wired: the queue, its due work, and the states of stations that move it on. */
export function createFreeAlertsFeature(given: FreeAlertDependencies): FreeAlertsFeature {
  const { db, outbox, clock, log, power } = given;
  const store = createFreeAlertStore(db, clock);
  const siteQueues = createSiteQueues({ ...given, store });
  const service = createFreeAlerts({ ...given, store, siteQueues, power });
  return {
    service,
    siteQueues,
    userTables: createFreeAlertUserTables(clock),
    routes(routes: Routes): void {
      routes.on(freeAlertAt, ({ viewer, params }) => service.at(viewer, params.number));
      routes.on(addFreeAlert, ({ viewer, params, body }) =>
        service.add(viewer, params.number, { type: body.connector_type, connector: body.connector }),
      );
      routes.on(removeFreeAlert, async ({ viewer, params }) => {
        await service.remove(viewer, params.id);
        return undefined;
      });
      routes.on(siteQueueAt, ({ viewer, params, query }) => siteQueues.at(viewer, params.number, query.connector));
      routes.on(joinSiteQueue, ({ viewer, params, body }) => siteQueues.join(viewer, params.number, body.connector));
    },
    start: () =>
      outbox.subscribe('station', (ref) => {
        if (!outbox.isLeader()) return;
        service
          .stationChanged(Number(ref))
          .catch((error: unknown) => log.warn({ err: error, station: Number(ref) }, 'free alert failed'));
      }),
  };
}
