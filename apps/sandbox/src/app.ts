import { setImmediate } from 'node:timers/promises';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { createBankPart } from './bank/part.ts';
import { keepBodiesRaw } from './body.ts';
import { type Clock, systemClock } from './clock.ts';
import { openDatabase } from './database.ts';
import { createHeldConnections } from './fault.ts';
import { homePage } from './home.ts';
import { sendPage, serveAssets } from './layout.ts';
import type { Part, PartContext } from './part.ts';
import { type PartName, partNames } from './parts.ts';
import { createPushPart } from './push/part.ts';
import { createSmsPart } from './sms/part.ts';
import { createTelegramPart } from './telegram/part.ts';

const creators = {
  bank: createBankPart,
  sms: createSmsPart,
  telegram: createTelegramPart,
  push: createPushPart,
} satisfies Record<PartName, (context: PartContext) => Part>;

export interface SandboxOptions {
  /** The product's DATA_DIR; the sandbox uses its own folder in it. */
  dataDir: string;
  clock?: Clock;
  log?: FastifyBaseLogger;
  /** The base address of the sandbox's links; by default the address of the request. */
  publicUrl?: string;
  /** Called with every address that the sandbox serves. */
  onRoute?: (route: { method: string | string[]; url: string }) => void;
}

/**
 * The third parties that the product calls, each with its own HTTP API. Only the addresses differ from the real
 * services.
 */
export async function createSandbox({ dataDir, clock = systemClock, log, publicUrl, onRoute }: SandboxOptions) {
  const app: FastifyInstance = Fastify({
    ...(log ? { loggerInstance: log } : { logger: false }),
    // Paths of the Bot API contain the bot's token, so requests are not logged.
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    // A client that keeps its connection open must not keep a stopping sandbox alive.
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
  });
  if (onRoute) app.addHook('onRoute', onRoute);
  const db = openDatabase(dataDir);
  const heldConnections = createHeldConnections(clock);
  const context: PartContext = {
    db,
    clock,
    log: app.log,
    heldConnections,
    origin: (request) => publicUrl ?? `${request.protocol}://${request.host}`,
  };
  // One transaction, so that the first start creates all tables or none.
  const parts = db.transaction(() => partNames.map((name) => ({ name, ...creators[name](context) })));

  keepBodiesRaw(app);
  serveAssets(app);
  app.get('/', (_request, reply) => sendPage(reply, { title: 'Sandbox', kind: 'operator', body: homePage() }));
  for (const part of parts) app.register(async (scope) => part.routes(scope), { prefix: `/${part.name}` });

  // Calls that are delayed on purpose, and long polls, would delay the shutdown.
  app.addHook('preClose', async () => {
    heldConnections.breakAll();
    await Promise.all(parts.map((part) => part.stop()));
    // Polls that were just ended send their answer before connections are closed.
    await setImmediate();
  });
  app.addHook('onClose', async () => db.close());

  await app.ready();
  return app;
}
