import { setImmediate } from 'node:timers/promises';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { createBankPart } from './bank/part.ts';
import { keepBodiesRaw } from './body.ts';
import { type Clock, systemClock } from './clock.ts';
import { openDatabase } from './database.ts';
import { createSilence } from './fault.ts';
import { homePage } from './home.ts';
import { sendPage, serveAssets } from './layout.ts';
import type { Ground } from './part.ts';
import { createSmsPart } from './sms/part.ts';
import { createTelegramPart } from './telegram/part.ts';

export interface SandboxOptions {
  /** The product's DATA_DIR: the sandbox keeps to its own folder in it. */
  dataDir: string;
  clock?: Clock;
  log?: FastifyBaseLogger;
  /** The address that links of the sandbox begin with; by default the one it was called at. */
  publicUrl?: string;
}

/** The third parties that the product talks to, each at its own HTTP API: only the addresses differ from the real ones. */
export async function createSandbox({ dataDir, clock = systemClock, log, publicUrl }: SandboxOptions) {
  const app: FastifyInstance = Fastify({
    ...(log ? { loggerInstance: log } : { logger: false }),
    // Paths of the Bot API hold the bot's token: no request is logged.
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    // A caller that keeps its connection open must not keep a stopping sandbox alive.
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
  });
  const db = openDatabase(dataDir);
  const silence = createSilence(clock);
  const ground: Ground = {
    db,
    clock,
    log: app.log,
    silence,
    origin: (request) => publicUrl ?? `${request.protocol}://${request.host}`,
  };
  // One transaction: the first start creates every table, or none.
  const parts = db.transaction(() => [createBankPart(ground), createSmsPart(ground), createTelegramPart(ground)]);

  keepBodiesRaw(app);
  serveAssets(app);
  app.get('/', (_request, reply) => sendPage(reply, { title: 'Sandbox', kind: 'desk', body: homePage() }));
  for (const part of parts) app.register(async (scope) => part.routes(scope), { prefix: part.prefix });

  // Whoever is kept waiting on purpose, or polls, would hold up the end.
  app.addHook('preClose', async () => {
    silence.breakAll();
    await Promise.all(parts.map((part) => part.stop()));
    // Polls that were just ended get their answer out before connections are cut.
    await setImmediate();
  });
  app.addHook('onClose', async () => db.close());

  await app.ready();
  return app;
}
