import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { Refusal } from '../refusal.ts';
import { answerError } from './errors.ts';
import { limitSilence } from './silent-connections.ts';

/** The largest honest body is a profile with ten cars; a bank's webhook is smaller still. */
const bodyLimitBytes = 64 * 1024;
/** A request that takes longer is stuck; the page has its own, shorter patience. */
const requestTimeoutMs = 30_000;

/** The page scans QR codes and shows where the driver is; a script that got into it may use nothing else of the device. */
const usedPowers = ['camera', 'geolocation'];
// Not autoplay: the camera's picture is a video that starts by itself.
const unusedPowers = [
  ...['accelerometer', 'bluetooth', 'browsing-topics', 'display-capture', 'encrypted-media', 'fullscreen'],
  ...['gamepad', 'gyroscope', 'hid', 'identity-credentials-get', 'idle-detection', 'local-fonts', 'magnetometer'],
  ...['microphone', 'midi', 'payment', 'picture-in-picture', 'publickey-credentials-get', 'screen-wake-lock', 'serial'],
  ...['storage-access', 'sync-xhr', 'usb', 'window-management', 'xr-spatial-tracking'],
];
const permissionsPolicy = [
  ...usedPowers.map((power) => `${power}=(self)`),
  ...unusedPowers.map((power) => `${power}=()`),
].join(', ');

interface Options {
  log: Logger;
  metrics: Metrics;
  publicUrl: URL;
  trustProxy: string[];
  /** Hosts of map tiles, which the page may load pictures from. */
  imageHosts: string[];
  /** Other places the page may connect to, for example a hosted real-time service. */
  connectHosts: string[];
}

/** Fastify with what every answer has: ids, headers, limits, one error handler. Knows no feature. */
export async function createHttpServer(options: Options): Promise<FastifyInstance> {
  const { log, metrics, publicUrl, trustProxy } = options;
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Our own line below has what operators need and leaves out query strings, which may carry tokens.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    // Keep-alive connections without a request in flight are closed at shutdown; requests in flight are finished.
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    frameworkErrors: answerError,
  });
  limitSilence(app.server);
  app.decorateRequest('viewerId', undefined);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) => answerError(new Refusal('not_found'), request, reply));
  await app.register(cookie);
  await app.register(helmet, headersFor(publicUrl, options));
  takeJsonOnly(app);

  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('x-request-id', request.id);
    reply.header('permissions-policy', permissionsPolicy);
    // Otherwise a kept-alive connection would hold up the shutdown long after its last answer.
    if (isClosing) reply.header('connection', 'close');
    // What a signed-in driver sees is nobody else's business; routes that may be cached say so themselves.
    if (request.url.startsWith('/api') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.httpSeconds.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(request.viewerId === undefined ? {} : { user: request.viewerId }),
      },
      'request',
    );
  });
  return app;
}

/** A form of another site can send text and forms, but not JSON: taking nothing else closes that door. */
function takeJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
}

function headersFor(publicUrl: URL, { imageHosts, connectHosts }: Pick<Options, 'imageHosts' | 'connectHosts'>) {
  const isHttps = publicUrl.protocol === 'https:';
  const webSocket = `${isHttps ? 'wss' : 'ws'}://${publicUrl.host}`;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...imageHosts],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", webSocket, ...imageHosts, ...connectHosts],
        workerSrc: ["'self'", 'blob:'],
        manifestSrc: ["'self'"],
        mediaSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' as const },
    crossOriginEmbedderPolicy: false,
    frameguard: { action: 'deny' as const },
  };
}
