import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createSessions } from '../account/sessions.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/database.ts';
import { createSessionCookies } from '../platform/http/cookies.ts';
import { csrfCookieRoute } from '../platform/http/csrf-cookie.ts';
import { createNonces } from '../platform/http/nonces.ts';
import { createRoutes } from '../platform/http/routes.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createVisitors } from '../platform/http/visitors.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createOutbox } from '../platform/outbox.ts';
import { createRateLimits } from '../platform/rate-limits.ts';
import { createSteps } from '../platform/step.ts';
import { createClient } from '../testing/client.ts';
import { testDatabase } from '../testing/database.ts';
import { createDeviceStates } from './device-states.ts';
import { createMapService } from './map/service.ts';
import { networkFixture } from './network.test-support.ts';
import { stationRoutes } from './routes.ts';
import { createStationService } from './service.ts';
import { createStationStore } from './store.ts';

export interface StationServerOptions {
  /** The stations' own; requests are signed by the true time. */
  clock?: Clock;
  /** Another node on the same database. */
  database?: Awaited<ReturnType<typeof testDatabase>>;
  /** Tests that do not measure it need not wait for it. */
  redrawEveryMs?: number;
}

/** The stations' calls on a real HTTP server and a database of their own, with nothing else of the product around them. */
export async function startStationServer({
  clock = systemClock,
  database,
  redrawEveryMs = 100,
}: StationServerOptions = {}) {
  const usedDatabase = database ?? (await testDatabase());
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const { db, close: closeDatabase } = openDatabase({ url: usedDatabase.appUrl, poolSize: 4 });
  const outbox = createOutbox({ db, url: usedDatabase.appUrl, log });
  const steps = createSteps(db, outbox.wake);
  const sessions = createSessions(db, systemClock);
  const cookies = createSessionCookies(false);
  const metrics = createMetrics();
  const publicUrl = new URL('http://127.0.0.1');
  const app = await createHttpServer({ log, metrics, publicUrl, trustProxy: [], imageHosts: [], connectHosts: [] });
  const limits = createRateLimits(db, systemClock);
  const nonces = createNonces(db, systemClock);
  const isDown = () => false;
  const visitors = createVisitors({ secret: 'the secret of the stations under test', clock: systemClock });
  const routes = createRoutes({
    app,
    sessions,
    visitors,
    cookies,
    nonces,
    limits,
    clock: systemClock,
    isDown,
    checkReplies: true,
  });
  csrfCookieRoute(app, { sessions, visitors, cookies, limits });
  const map = createMapService({ databaseUrl: usedDatabase.appUrl, outbox, log, redrawEveryMs });
  const stations = createStationService({ stations: createStationStore(db), clock });
  stationRoutes(routes, stations, map);
  await outbox.start();
  map.start();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  return {
    url,
    db,
    steps,
    outbox,
    stations,
    devices: createDeviceStates({ clock }),
    network: networkFixture(db, steps, clock),
    database: usedDatabase,
    client: () => createClient(url),
    async signedIn(userId: number) {
      const client = createClient(url);
      const device = { ip: '127.0.0.1', userAgent: 'test' };
      const { token, csrfToken } = await sessions.issue({ id: userId, role: 'User' }, device, null);
      client.jar.set('fpay_session', token);
      client.jar.set('XSRF-TOKEN', csrfToken);
      return client;
    },
    async close(): Promise<void> {
      await app.close();
      await map.stop();
      await outbox.stop();
      await closeDatabase();
      if (!database) await usedDatabase.drop();
    },
  };
}

export type StationServer = Awaited<ReturnType<typeof startStationServer>>;
