import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { Refusal } from '../refusal.ts';
import type { Metrics } from '../watching/metrics.ts';
import type { Tracing } from '../watching/tracing.ts';
import { answerError } from './errors.ts';
import { traceRequests } from './request-traces.ts';
import { limitSilence } from './silent-connections.ts';

/** The largest regular body is a profile with ten cars; a bank's webhook is smaller. */
const bodyLimitBytes = 64 * 1024;
/** A request that takes longer is stuck; the page has its own, shorter timeout. */
const requestTimeoutMs = 30_000;

/**
 * The page scans QR codes and shows the driver's position. A script injected into it may use no other feature of the
 * device.
 */
const usedPowers = ['camera', 'geolocation'];
// Autoplay is not on the list, because the camera's picture is a video that starts by itself.
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
  tracing?: Tracing;
  publicUrl: URL;
  trustProxy: string[];
  /** Hosts of map pictures. */
  imageHosts: string[];
  /** Other hosts that the page may call: those of vector tiles, a hosted real-time service. */
  connectHosts: string[];
}

/** Creates Fastify with what every answer needs: ids, headers, limits and one error handler. It knows no feature. */
export async function createHttpServer(options: Options): Promise<FastifyInstance> {
  const { log, metrics, publicUrl, trustProxy } = options;
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // The access log line below contains what operators need and leaves out query strings, which may carry tokens.
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

  if (options.tracing?.isOn) traceRequests(app, options.tracing, operationIn);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('x-request-id', request.id);
    reply.header('permissions-policy', permissionsPolicy);
    // Otherwise a kept-alive connection would hold up the shutdown long after its last answer.
    if (isClosing) reply.header('connection', 'close');
    // Answers for a signed-in driver are private; routes that may be cached set the header themselves.
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
        ...operationIn(route, request.params),
      },
      'request',
    );
  });
  return app;
}

/** Calls about one operation carry its number, so that a charge can be followed through the log. */
function operationIn(route: string, params: unknown): { operation?: number } {
  const { id } = (params ?? {}) as { id?: unknown };
  return route.includes('/operation/') && /^\d{1,15}$/.test(String(id)) ? { operation: Number(id) } : {};
}

/** A form of another site can send text and form data but not JSON, so accepting only JSON prevents such requests. */
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
        connectSrc: ["'self'", webSocket, ...connectHosts],
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
