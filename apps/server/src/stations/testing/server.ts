import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createSessions } from '../../account/sign-in/sessions.ts';
import { setOnline } from '../../ocpp/connections/charge-points.ts';
import { createAudit } from '../../platform/audit.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { createSessionCookies } from '../../platform/http/cookies.ts';
import { csrfCookieRoute } from '../../platform/http/csrf-cookie.ts';
import { createNonces } from '../../platform/http/nonces.ts';
import { createRoutes } from '../../platform/http/routes.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { createVisitors } from '../../platform/http/visitors.ts';
import { openPlatform } from '../../platform/platform.ts';
import type { Step } from '../../platform/step.ts';
import { createTestClient } from '../../testing/client.ts';
import { testDatabase } from '../../testing/database.ts';
import { createStations } from '../feature.ts';
import { networkFixture } from './network.ts';

export interface StationServerOptions {
  /** The clock of stations; requests are signed with the real time. */
  clock?: Clock;
  /** Another node on the same database. */
  database?: Awaited<ReturnType<typeof testDatabase>>;
  /** Tests that do not measure it need not wait for it. */
  redrawEveryMs?: number;
}

/** The station endpoints on a real HTTP server with its own database and no other feature. */
export async function startStationServer({
  clock = systemClock,
  database,
  redrawEveryMs = 100,
}: StationServerOptions = {}) {
  const usedDatabase = database ?? (await testDatabase());
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const databaseUrl = usedDatabase.appUrl;
  const { platform, close: closePlatform } = openPlatform({ databaseUrl, log, poolSize: 4 });
  const { db, outbox, steps, limits, metrics } = platform;
  const sessions = createSessions(db, systemClock);
  const cookies = createSessionCookies(false);
  const publicUrl = new URL('http://127.0.0.1');
  const app = await createHttpServer({ log, metrics, publicUrl, trustProxy: [], imageHosts: [], connectHosts: [] });
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
  const {
    map,
    service: stations,
    deviceStates,
    routes: serve,
  } = createStations({
    ...platform,
    clock,
    audit: createAudit(clock),
    approvals: { on() {}, request: () => Promise.reject(new Error('no staff here')) },
    staffLimit: 0,
    redrawEveryMs,
  });
  serve(routes);
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
    setOnline: (step: Step, chargePoints: readonly number[], isOnline: boolean) =>
      setOnline(step, { clock, deviceStates }, chargePoints, isOnline),
    network: networkFixture(db, steps, clock),
    database: usedDatabase,
    client: () => createTestClient(url),
    async signedIn(userId: number) {
      const client = createTestClient(url);
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
      await closePlatform();
      if (!database) await usedDatabase.drop();
    },
  };
}

export type StationServer = Awaited<ReturnType<typeof startStationServer>>;
