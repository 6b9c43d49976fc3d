import { addFreeAlert, freeAlertAt, removeFreeAlert } from '@fpay/contract/free-alerts';
import type { Clock } from '../platform/clock.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Viewer } from '../platform/http/session.ts';
import type { Platform } from '../platform/platform.ts';
import type { UserTables } from '../platform/user-tables.ts';
import type { StationStore } from '../stations/store.ts';
import { createFreeAlerts, type FreeAlerts } from './service.ts';
import { createFreeAlertStore } from './store.ts';

export interface FreeAlertDependencies
  extends Pick<Platform, 'db' | 'steps' | 'outbox' | 'dueWork' | 'limits' | 'clock' | 'log'> {
  stations: Pick<StationStore, 'connectorsOf' | 'byIds'>;
  stationOf: (viewer: Viewer, number: string) => Promise<number | null>;
  deliver: Parameters<typeof createFreeAlerts>[0]['deliver'];
}

export interface FreeAlertsFeature {
  service: FreeAlerts;
  userTables: UserTables;
  routes(routes: Routes): void;
  /** On workers: follows the states of stations. Returns a function that stops it. */
  start(): () => void;
}

const createFreeAlertUserTables = (clock: Clock): UserTables => ({
  free_alerts: {
    // The account may wait at the same station already, and one alert is enough.
    async onUserMerged(step, from) {
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
  const { db, steps, outbox, dueWork, limits, clock, log, stations, stationOf, deliver } = given;
  const store = createFreeAlertStore(db, clock);
  const service = createFreeAlerts({ store, stations, stationOf, deliver, steps, dueWork, limits, clock });
  return {
    service,
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
