import { isTooDeep, unstorablePaths } from '@fpay/contract/text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { Refusal } from '../../platform/refusal.ts';
import { echoHeaders, invalidParameter, OcpiError, ocpiBody, ocpiCodes, ocpiTime } from './answer.ts';
import type { OcpiHandshake } from './handshake.ts';
import { type OcpiPage, ocpiPageOf, sendPageHeaders } from './page.ts';
import type { OcpiAccess, OcpiPartner } from './partners.ts';
import type { OcpiLocation, OcpiReadModel } from './read-model.ts';

export const versionsPath = '/ocpi/versions';
const base = '/ocpi/2.2.1';
const modules = ['locations', 'tariffs', 'sessions', 'cdrs'] as const;
const callsPerMinute = 600;

interface Dependencies {
  access: OcpiAccess;
  handshake: OcpiHandshake;
  read: OcpiReadModel;
  cdrs(page: OcpiPage): Promise<{ total: number; list: object[] }>;
  isOwnParty(partner: OcpiPartner): boolean;
  limits: RateLimits;
  clock: Clock;
  log: Logger;
  publicUrl: URL;
  isDown(): boolean;
}

type Handler = (partner: OcpiPartner, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** OCPI has shapes, tokens and errors of its own, so these routes are not part of the contract. */
export function ocpiRoutes(app: FastifyInstance, given: Dependencies): void {
  const { access, handshake, read, limits, clock, log, publicUrl } = given;
  const urlOf = (path: string) => new URL(path, publicUrl).href;

  async function partnerOf(request: FastifyRequest): Promise<OcpiPartner> {
    // Who reads the list of versions may be of OCPI 2.1.1, where tokens are not encoded.
    const mayBePlain = request.routeOptions.url === versionsPath;
    const partner = await access.find(request.headers.authorization, mayBePlain);
    if (!partner) throw new OcpiError(401, ocpiCodes.clientError, 'Unknown or missing token');
    await limits.take({ key: `ocpi:${partner.id}`, most: callsPerMinute, windowMs: 60_000 });
    return partner;
  }

  const open = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const partner = await partnerOf(request);
    refuseUnstorable(request);
    return ocpiBody(await handler(partner, request, reply), clock.now());
  };

  /** A module with data: the token of an invitation does not open it. */
  const registered = (handler: Handler) =>
    open((partner, request, reply) => {
      if (partner.status === 'invited') throw new OcpiError(401, ocpiCodes.clientError, 'Register first');
      if (given.isDown()) throw new OcpiError(503, ocpiCodes.serverError, 'Maintenance');
      return handler(partner, request, reply);
    });

  const list = (
    module: string,
    load: (page: OcpiPage, partner: OcpiPartner) => Promise<{ total: number; list: object[] }>,
  ) =>
    registered(async (partner, request, reply) => {
      const page = ocpiPageOf(request.query);
      if (module === 'sessions' && page.from === null) throw invalidParameter('date_from is needed');
      const { total, list: data } = await load(page, partner);
      sendPageHeaders(reply, urlOf(`${base}/${module}`), page, total);
      return data;
    });

  function credentialRoutes(scope: FastifyInstance): void {
    scope.get(
      `${base}/credentials`,
      open(async ({ token }) => handshake.credentials(token)),
    );
    scope.post(
      `${base}/credentials`,
      open((partner, { body }) => handshake.register(partner, body, false)),
    );
    scope.put(
      `${base}/credentials`,
      open((partner, { body }) => handshake.register(partner, body, true)),
    );
    scope.delete(
      `${base}/credentials`,
      open((partner) => handshake.end(partner)),
    );
  }

  app.register(async (scope) => {
    // As the last hook, because the server puts its own id of the request into every answer.
    scope.addHook('onSend', async (request, reply, payload) => {
      echoHeaders(request, reply);
      reply.header('cache-control', 'no-store');
      return payload;
    });
    scope.setErrorHandler((error, request, reply) => sendError(error, request, reply, clock.now(), log));

    scope.get(
      versionsPath,
      open(async () => [{ version: '2.2.1', url: urlOf(base) }]),
    );
    scope.get(
      base,
      open(async () => ({
        version: '2.2.1',
        endpoints: ['credentials', ...modules].map((identifier) => ({
          identifier,
          role: 'SENDER',
          url: urlOf(`${base}/${identifier}`),
        })),
      })),
    );
    credentialRoutes(scope);

    scope.get(`${base}/locations`, list('locations', read.locations));
    scope.get(`${base}/tariffs`, list('tariffs', read.tariffs));
    // A session belongs to the party whose token began it. No partner can begin one yet, and sessions of our own drivers
    // are never given to others.
    scope.get(
      `${base}/sessions`,
      list('sessions', async () => ({ total: 0, list: [] })),
    );
    // A record belongs to the party of its token as well: those of our drivers are for our own party, and no other party
    // has any yet.
    scope.get(
      `${base}/cdrs`,
      list('cdrs', async (page, partner) => (given.isOwnParty(partner) ? given.cdrs(page) : { total: 0, list: [] })),
    );

    const one = registered(async (_partner, request) => {
      const named = request.params as NamedPart;
      const location = await read.location(named.location.toUpperCase());
      if (!location) throw notFound();
      return partOf(location, named);
    });
    scope.get(`${base}/locations/:location`, one);
    scope.get(`${base}/locations/:location/:evse`, one);
    scope.get(`${base}/locations/:location/:evse/:connector`, one);
  });
}

interface NamedPart {
  location: string;
  evse?: string;
  connector?: string;
}

/** The location itself, or the EVSE or connector of it that is named. */
function partOf(location: OcpiLocation, { evse: uid, connector: name }: NamedPart): object {
  if (uid === undefined) return location;
  const evse = location.evses.find((found) => found.uid === uid);
  if (!evse) throw notFound();
  if (name === undefined) return evse;
  const connector = evse.connectors.find((found) => found.id === name);
  if (!connector) throw notFound();
  return connector;
}

/** Text that the database cannot store names nothing that we have, and an object with it cannot be kept. */
function refuseUnstorable({ params, query, body }: FastifyRequest): void {
  if (unstorablePaths(params).length > 0) throw notFound();
  if (isTooDeep(body) || unstorablePaths({ query, body }).length > 0)
    throw invalidParameter('The text cannot be stored');
}

const notFound = () => new OcpiError(404, ocpiCodes.unknownLocation, 'Unknown location, EVSE or connector');

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, now: Date, log: Logger): FastifyReply {
  const send = (http: number, code: number, message: string) =>
    reply.code(http).send({ status_code: code, status_message: message, timestamp: ocpiTime(now) });
  if (error instanceof OcpiError) return send(error.httpStatus, error.code, error.message);
  if (error instanceof Refusal && error.code === 'too_many_attempts') {
    reply.header('retry-after', error.retryAfter ?? 60);
    return send(429, ocpiCodes.clientError, `At most ${callsPerMinute} calls a minute`);
  }
  const { statusCode } = error as { statusCode?: number };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return send(statusCode, ocpiCodes.invalidParameters, 'The request cannot be read');
  }
  log.error({ err: error, request: request.id }, 'ocpi request failed');
  return send(500, ocpiCodes.serverError, 'Server error');
}
