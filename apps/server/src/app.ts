import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { endpoints } from '@fpay/contract/endpoints';
import { getSettings } from '@fpay/contract/settings';
import type { Logger } from 'pino';
import { backofficeRoutes } from './backoffice/routes.ts';
import { chargingRoutes } from './charging/routes.ts';
import type { Config } from './config.ts';
import { createFeatures } from './features.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { maintenanceRoutes } from './maintenance/routes.ts';
import type { Timings } from './ocpp/timings.ts';
import { paymentRoutes } from './payments/routes.ts';
import { webhookRoute } from './payments/webhook.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { openDatabase } from './platform/database.ts';
import { createDueWork } from './platform/due-work.ts';
import { serveApiDocument } from './platform/http/api-document.ts';
import { createSessionCookies } from './platform/http/cookies.ts';
import { csrfCookieRoute } from './platform/http/csrf-cookie.ts';
import { healthRoutes } from './platform/http/health.ts';
import { createNonces } from './platform/http/nonces.ts';
import { openApiDocument } from './platform/http/openapi.ts';
import { assertAllServed, createRoutes } from './platform/http/routes.ts';
import { createHttpServer } from './platform/http/server.ts';
import { createVisitors } from './platform/http/visitors.ts';
import { serveWebApp } from './platform/http/web-app.ts';
import { createJobs } from './platform/jobs.ts';
import { createMetrics, serveMetrics } from './platform/metrics.ts';
import { createOutbox } from './platform/outbox.ts';
import { runParts } from './platform/parts.ts';
import { createRateLimits } from './platform/rate-limits.ts';
import { createRowLoops } from './platform/row-loops.ts';
import { createSteps } from './platform/step.ts';
import { platformSweep } from './platform/sweep.ts';
import { publishEvents } from './realtime/events.ts';
import { realtimeRoutes } from './realtime/routes.ts';
import { createRealtime } from './realtime/service.ts';
import { createUsedTokens } from './realtime/used-tokens.ts';
import { receiptRoutes } from './receipts/routes.ts';
import { createReceiptStore } from './receipts/store.ts';
import { rfidEvents } from './rfid/events.ts';
import { rfidRoutes } from './rfid/routes.ts';
import { stationRoutes } from './stations/routes.ts';
import { statsRoutes } from './stats/routes.ts';
import { createWalletEvents } from './wallet/events.ts';
import { walletRoutes } from './wallet/routes.ts';

export interface AppOptions {
  config: Config;
  /** The product's own role, not the schema's owner. */
  databaseUrl: string;
  log: Logger;
  clock?: Clock;
  /** Of the gateway, where a test's time runs faster than the wall's. */
  timings?: Partial<Timings>;
}

/** One program with all its parts wired. Nothing runs before `start`; `stop` finishes what is in hand. */
export async function createApp({ config, databaseUrl, log, clock = systemClock, timings = {} }: AppOptions) {
  const hasRole = (role: Config['roles'][number]) => config.roles.includes(role);
  const metrics = createMetrics();
  const { db, close: closeDatabase } = openDatabase({
    url: databaseUrl,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  const rows = createRowLoops({ log, metrics });
  const outbox = createOutbox({ db, url: databaseUrl, log, rows });
  const steps = createSteps(db, outbox.wake);
  const dueWork = createDueWork({ db, steps, clock, log, rows });
  const jobs = createJobs({ db, log, isWorker: hasRole('worker'), clock, metrics });
  const limits = createRateLimits(db, clock);

  const platform = {
    config,
    databaseUrl,
    db,
    steps,
    outbox,
    rows,
    dueWork,
    jobs,
    limits,
    metrics,
    clock,
    log,
    timings,
  };
  const features = createFeatures(platform);
  const { sessions, maintenance, charging, payments, gateway, map } = features;
  const realtime = createRealtime({
    secret: config.secret,
    publicUrl: config.publicUrl.href,
    azure: config.azureWebPubSub ?? undefined,
    usedTokens: createUsedTokens(db),
    clock,
    log,
    metrics: {
      refused: metrics.counter('fpay_realtime_refused_total', 'Real-time connections not admitted', 'reason'),
      cutOff: metrics.counter('fpay_realtime_cut_off_total', 'Real-time connections ended by us', 'reason'),
      published: () => {},
    },
  });
  const publish = publishEvents(outbox, realtime);
  const walletChanged = createWalletEvents({ ledger: features.ledger, publish, log });
  outbox.subscribe(({ topic, ref }) => void (topic === 'wallet' && walletChanged(ref)));
  rfidEvents(outbox, features.rfidStore, publish);
  metrics.gauge('fpay_realtime_connections', 'Open real-time connections', () => realtime.connections());

  let isStopping = false;
  let bot: { stop(): Promise<void> } | null = null;
  const app = await createHttpServer({
    log,
    metrics,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    imageHosts: tileHosts(config),
    connectHosts: config.azureWebPubSub ? [realtime.origin] : [],
  });
  healthRoutes(app, db, () => isStopping);

  if (hasRole('api')) {
    const cookies = createSessionCookies(config.publicUrl.protocol === 'https:');
    const checkReplies = config.mode !== 'production';
    const isDown = maintenance.isDown;
    const nonces = createNonces(db, clock);
    const visitors = createVisitors({ secret: config.secret, clock });
    const routes = createRoutes({ app, sessions, visitors, cookies, nonces, limits, clock, isDown, checkReplies });
    csrfCookieRoute(app, { sessions, visitors, cookies, limits });
    routes.on(getSettings, async () => config.settings);
    maintenanceRoutes(routes, maintenance);
    features.accounts.routes(routes);
    statsRoutes(routes, features.stats);
    features.messages.routes(app);
    stationRoutes(routes, features.stations, map);
    walletRoutes(routes, features);
    paymentRoutes(routes, payments);
    chargingRoutes(routes, charging);
    receiptRoutes(routes, {
      receipts: createReceiptStore(db),
      seller: { brand: config.settings.brand, ...config.seller },
      publicUrl: config.publicUrl,
    });
    feedbackRoutes(routes, features.feedback);
    rfidRoutes(routes, features.rfid);
    backofficeRoutes(routes, features.health);
    realtimeRoutes(routes, realtime, charging.isVisibleTo);
    assertAllServed(endpoints, routes);
    webhookRoute(app, {
      bank: features.bank,
      payments: payments.store,
      service: payments.service,
      registry: metrics.registry,
      log,
    });
    const { apiDocs } = config;
    const document = openApiDocument(endpoints, config.settings.brand);
    if (apiDocs !== 'off') await serveApiDocument(app, { document, readers: apiDocs, sessions, cookies });
    if (existsSync(config.webDist)) await serveWebApp(app, config.webDist, { settings: config.settings });
  }
  app.server.on('upgrade', (request, socket, head) => {
    const isTaken =
      (hasRole('api') && realtime.handleUpgrade(request, socket, head)) ||
      (hasRole('gateway') && gateway.handleUpgrade(request, socket, head));
    if (!isTaken) socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
  });

  async function startWorker(): Promise<void> {
    await jobs.work('platform.sweep', () =>
      runParts([...platformSweep(db, clock), { name: 'accounts', run: features.accounts.sweep }]),
    );
    await jobs.work('charging.watch', charging.watch);
    await jobs.work('money.nightly', payments.reconcileLately);
    await jobs.work('ledger.nightly', async () => void (await features.ledgerWatch.check()));
    await jobs.work('account.nightly', features.accounts.nightly);
    await jobs.work('ocpp.nightly', features.retention.nightly);
    await features.messages.work();
    bot = features.messages.start(outbox);
    await jobs.schedule('account.nightly', '20 3 * * *');
    await jobs.schedule('ocpp.nightly', '10 3 * * *');
    await jobs.schedule('platform.sweep', '* * * * *');
    await jobs.schedule('charging.watch', '* * * * *');
    await jobs.schedule('money.nightly', '40 3 * * *');
    await jobs.schedule('ledger.nightly', '50 3 * * *');
    dueWork.start();
  }

  return {
    ...platform,
    ...features,
    app,
    async start(): Promise<{ port: number; metricsPort: number }> {
      await outbox.start();
      // Sign-outs between the hub's start and the outbox's first look would otherwise go unheard here.
      if (realtime.reach === 'this-node') realtime.disconnectAll();
      await maintenance.load();
      await jobs.start();
      if (hasRole('api')) map.start();
      if (hasRole('gateway')) await gateway.start();
      if (hasRole('worker')) await startWorker();
      const metricsServer = await serveMetrics(metrics, config.metricsPort);
      app.addHook('onClose', () => new Promise<void>((resolve) => metricsServer.close(() => resolve())));
      await app.listen({ host: config.host, port: config.port });
      return { port: portOf(app.server.address()), metricsPort: portOf(metricsServer.address()) };
    },
    /** Finishes requests and steps in hand, then lets go of everything, the database last. */
    async stop(): Promise<void> {
      isStopping = true;
      await gateway.stop();
      await realtime.close();
      await app.close();
      await map.stop();
      await dueWork.stop();
      await bot?.stop();
      await jobs.stop();
      await outbox.stop();
      await closeDatabase();
    },
  };
}

export type App = Awaited<ReturnType<typeof createApp>>;

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** `https://{a-c}.tiles.example/{z}/{x}/{y}.png` → the origins the page may load pictures from. */
function tileHosts({ settings }: Config): string[] {
  return [settings.map.base.url, settings.map.satellite?.url]
    .filter((url) => url !== null && url !== undefined)
    .map((url) => url.replace(/^(https?:\/\/)\{[^}]+\}\./, '$1*.').replace(/^(https?:\/\/[^/]+).*$/, '$1'));
}
