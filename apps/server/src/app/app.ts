import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@fpay/contract/endpoints';
import { getSettings, version } from '@fpay/contract/settings';
import type { Logger } from 'pino';
import { guardOwnMoney } from '../backoffice/own-money/guard.ts';
import { createOwnMoney } from '../backoffice/own-money/profit.ts';
import type { Config } from '../config/config.ts';
import { createTlsEndpoint } from '../ocpp/connections/tls-endpoint.ts';
import type { Timings } from '../ocpp/timings.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { serveApiDocument } from '../platform/http/api-document.ts';
import { createSessionCookies } from '../platform/http/cookies.ts';
import { csrfCookieRoute } from '../platform/http/csrf-cookie.ts';
import { healthRoutes } from '../platform/http/health.ts';
import { createNonces } from '../platform/http/nonces.ts';
import { openApiDocument } from '../platform/http/openapi.ts';
import { assertAllServed, createRoutes } from '../platform/http/routes.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createVisitors } from '../platform/http/visitors.ts';
import { runParts } from '../platform/parts.ts';
import { openPlatform } from '../platform/platform.ts';
import { platformSweep } from '../platform/sweep.ts';
import { serveMetrics } from '../platform/watching/metrics.ts';
import { type TraceExporter, traceOperation } from '../platform/watching/tracing.ts';
import { createRealtimeFeature } from '../realtime/feature.ts';
import { tileHosts } from '../stations/map/providers.ts';
import { serveWebApp } from '../web-app/web-app.ts';
import { createFeatures } from './features.ts';

export interface AppOptions {
  config: Config;
  /** The URL of the product's own role, not of the schema's owner. */
  databaseUrl: string;
  log: Logger;
  clock?: Clock;
  /** Timings of the gateway, for tests whose time runs faster than real time. */
  timings?: Partial<Timings>;
}

/** One program with all its parts connected. Nothing runs before `start`; `stop` finishes the work in progress. */
export async function createApp({ config, databaseUrl, log, clock = systemClock, timings = {} }: AppOptions) {
  const hasRole = (role: Config['roles'][number]) => config.roles.includes(role);
  const traceExporter = await traceExporterOf(config);
  const { platform, close: closePlatform } = openPlatform({
    databaseUrl,
    directUrl: config.directDatabaseUrl,
    log,
    clock,
    isWorker: hasRole('worker'),
    traceExporter,
    onPublish: (topic, ref) => topic === 'operation' && traceOperation(Number(ref)),
  });
  const { db, outbox, dueWork, jobs, limits, metrics } = platform;
  const realtime = createRealtimeFeature({
    ...platform,
    secret: config.secret,
    publicUrl: config.publicUrl,
    azure: config.azureWebPubSub,
  });
  const features = createFeatures({ platform, config, publish: realtime.publish, timings });
  const { accounts, charging, gateway, messages, ocpp, payments, stations } = features;
  const { hub } = realtime;
  const maintenance = features.maintenance.service;

  let isStopping = false;
  let bot: { stop(): Promise<void> } | null = null;
  let stopAlerts = () => {};
  const { handleUpgrade } = gateway;
  const chargePointTls =
    config.chargePointTls && hasRole('gateway')
      ? createTlsEndpoint({ ...config.chargePointTls, host: config.host, log, handleUpgrade })
      : null;
  const tiles = tileHosts(config.settings.map);
  const app = await createHttpServer({
    log,
    metrics,
    tracing: platform.tracing,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    imageHosts: tiles.images,
    connectHosts: [...tiles.calls, ...(config.azureWebPubSub ? [hub.origin] : [])],
  });
  healthRoutes(app, db, () => isStopping);

  if (hasRole('api')) {
    const cookies = createSessionCookies(config.publicUrl.protocol === 'https:');
    const checkReplies = config.mode !== 'production';
    const { isDown } = maintenance;
    const { sessions } = accounts;
    const nonces = createNonces(db, clock);
    const visitors = createVisitors({ secret: config.secret, clock });
    const { apiKeys } = features.integrations;
    const unguarded = createRoutes({
      app,
      sessions,
      apiKeys,
      visitors,
      cookies,
      nonces,
      limits,
      clock,
      isDown,
      checkReplies,
    });
    const routes = guardOwnMoney(unguarded, createOwnMoney(db));
    csrfCookieRoute(app, { sessions, visitors, cookies, limits });
    routes.on(getSettings, async () => config.settings);
    const { stats, wallet, receipts, freeAlerts, favourites, feedback, pageErrors, rfid, party, cases, backoffice } =
      features;
    const served = [features.maintenance, accounts, stats, stations, wallet, payments, charging, receipts];
    const others = [messages, freeAlerts, favourites, feedback, pageErrors, rfid, party, cases, backoffice];
    for (const feature of [...served, ...others]) feature.routes(routes);
    realtime.routes(routes, { mayWatch: charging.isVisibleTo, stationsOf: stations.service.listedStations });
    assertAllServed(endpoints, routes);
    messages.webhook(app);
    payments.webhook(app);
    features.integrations.serveOcpi(app);
    const { apiDocs } = config;
    const document = openApiDocument(endpoints, config.settings.brand);
    if (apiDocs !== 'off') await serveApiDocument(app, { document, readers: apiDocs, sessions, cookies });
    if (existsSync(config.webDist)) {
      const boot = { settings: config.settings };
      await serveWebApp(app, config.webDist, { boot, origin: config.publicUrl.origin });
    }
  }
  app.server.on('upgrade', (request, socket, head) => {
    const isTaken =
      (hasRole('api') && hub.handleUpgrade(request, socket, head)) ||
      (hasRole('gateway') && gateway.handleUpgrade(request, socket, head));
    if (!isTaken) socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
  });

  async function startWorker(): Promise<void> {
    await jobs.work('platform.sweep', () =>
      runParts([
        ...platformSweep(db, clock),
        realtime.sweep,
        features.pageErrors.sweep,
        { name: 'accounts', run: accounts.sweep },
        { name: 'SMS of cases', run: features.cases.service.sweep },
        { name: 'audit head', run: features.backoffice.auditWatch.noteHead },
      ]),
    );
    await jobs.work('charging.watch', charging.watch);
    await jobs.work('backoffice.recount', async () => void (await features.backoffice.recount()));
    await jobs.work('money.hourly', async () => void (await payments.compareLately()));
    await jobs.work('money.nightly', () =>
      runParts([
        { name: 'statement', run: payments.reconcileLately },
        { name: 'exchanges', run: () => payments.forgetExchanges(config.retention.bankMonths) },
      ]),
    );
    await jobs.work('ledger.nightly', () =>
      runParts([
        { name: 'books', run: payments.ledgerWatch.check },
        { name: 'audit', run: features.backoffice.auditWatch.check },
      ]),
    );
    await jobs.work('account.nightly', accounts.nightly);
    await jobs.work('ocpp.nightly', ocpp.retention.nightly);
    await jobs.work('integrations.nightly', features.integrations.forgetEvents);
    await messages.work();
    bot = messages.start(outbox);
    stopAlerts = features.freeAlerts.start();
    await jobs.schedule('account.nightly', '20 3 * * *');
    await jobs.schedule('ocpp.nightly', '10 3 * * *');
    await jobs.schedule('integrations.nightly', '30 3 * * *');
    await jobs.schedule('platform.sweep', '* * * * *');
    await jobs.schedule('charging.watch', '* * * * *');
    await jobs.schedule('backoffice.recount', '* * * * *');
    await jobs.schedule('money.hourly', '15 * * * *');
    await jobs.schedule('money.nightly', '40 3 * * *');
    await jobs.schedule('ledger.nightly', '50 3 * * *');
    dueWork.start();
  }

  return {
    platform,
    config,
    features,
    app,
    async start(): Promise<{ port: number; metricsPort: number; chargePointTlsPort: number | null }> {
      await outbox.start();
      // Without this, sign-outs between the start of the hub and the outbox's first read would be missed here.
      if (hub.reach === 'this-node') hub.disconnectAll();
      await maintenance.load();
      await jobs.start();
      if (hasRole('api')) stations.map.start();
      if (hasRole('gateway')) await gateway.start();
      const tls = await chargePointTls?.start();
      if (hasRole('worker')) await startWorker();
      const metricsServer = await serveMetrics(metrics, { host: config.metricsHost, port: config.metricsPort });
      app.addHook('onClose', () => new Promise<void>((resolve) => metricsServer.close(() => resolve())));
      await app.listen({ host: config.host, port: config.port });
      return {
        port: portOf(app.server.address()),
        metricsPort: portOf(metricsServer.address()),
        chargePointTlsPort: tls?.port ?? null,
      };
    },
    /** Finishes requests and steps in progress, then closes everything, the database last. */
    async stop(): Promise<void> {
      isStopping = true;
      await gateway.stop();
      await chargePointTls?.stop();
      await hub.close();
      await app.close();
      await stations.map.stop();
      await dueWork.stop();
      stopAlerts();
      await bot?.stop();
      await jobs.stop();
      await outbox.stop();
      await closePlatform();
      await traceExporter?.stop().catch((error: unknown) => log.warn({ err: error }, 'traces unsent'));
    },
  };
}

export type App = Awaited<ReturnType<typeof createApp>>;

/** The library of traces is large, so it is loaded only when they are sent. */
async function traceExporterOf({ traces, publicUrl }: Config): Promise<TraceExporter | null> {
  if (traces === null) return null;
  const { createTraceExport } = await import('../platform/watching/trace-export.ts');
  return createTraceExport({ ...traces, version, origin: publicUrl.origin });
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
