import assert from 'node:assert/strict';
import {
  type BodyOf,
  type Endpoint,
  isMutating,
  type ParamsOf,
  type QueryOf,
  type ReplyInput,
} from '@fpay/contract/endpoint';
import { refusals } from '@fpay/contract/refusals';
import { can } from '@fpay/contract/roles';
import { unstorablePaths, unstorableText } from '@fpay/contract/text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import { addressKey, type RateLimits } from '../rate-limits.ts';
import { Refusal } from '../refusal.ts';
import type { SessionCookies } from './cookies.ts';
import { errorBody, invalidInput } from './errors.ts';
import type { Nonces, NonceUse } from './nonces.ts';
import type { Device, IssuedSession, Session, Sessions, Viewer } from './session.ts';
import { isSameSecret, type SignedRequest, verifySignature } from './signature.ts';
import type { Visitors } from './visitors.ts';

/** What a handler is given: the parts of its endpoint, parsed, and who calls. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  viewer: E['access'] extends 'anyone' ? Viewer | null : Viewer;
  session: Session | null;
  device: Device;
  /** Before the session was looked up: what was granted rests on rights of that moment. */
  receivedAt: Date;
  /** The same for every repeat of one money-moving request: what is stored under it is stored once. */
  requestKey: string;
  /** Signs the caller in or out: a new session with its cookies, or none. */
  startSession(viewer: Viewer): Promise<void>;
  endSession(): Promise<void>;
  /** For answers that are not JSON, or have headers of their own. */
  http: { request: FastifyRequest; reply: FastifyReply };
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<ReplyInput<E>>;

export interface Routes {
  on<E extends Endpoint>(endpoint: E, handler: Handler<E>): void;
  isServed(endpoint: Endpoint): boolean;
}

/** A call that is declared and not served would be a promise in the API's document that nobody keeps. */
export function assertAllServed(endpoints: readonly Endpoint[], routes: Routes): void {
  const missing = endpoints.filter((endpoint) => !routes.isServed(endpoint));
  assert(missing.length === 0, `nobody serves ${missing.map(({ method, path }) => `${method} ${path}`).join(', ')}`);
}

interface Dependencies {
  app: FastifyInstance;
  sessions: Sessions;
  /** Without it only signed-in users can make mutating calls. */
  visitors?: Visitors;
  cookies: SessionCookies;
  nonces: Nonces;
  limits: RateLimits;
  clock: Clock;
  isDown: () => boolean;
  /** Outside production every answer is held against its schema. */
  checkReplies: boolean;
}

/** Far above any person, and above an office behind one address; below what hurts. */
const mutatingPerAddress = { most: 600, windowMs: 60_000 };

export function createRoutes({
  app,
  sessions,
  visitors,
  cookies,
  nonces,
  limits,
  clock,
  isDown,
  checkReplies,
}: Dependencies): Routes {
  async function sessionOf(request: FastifyRequest, reply: FastifyReply): Promise<Session | null> {
    const token = cookies.read(request);
    if (!token) return null;
    const visitor = visitors?.find(token);
    if (visitor) return visitor;
    const found = await sessions.find(token);
    if (!found) return null;
    if (found.isDueForCookie) cookies.send(reply, { token, csrfToken: found.session.csrfToken });
    return found.session;
  }

  function checkAccess(endpoint: Endpoint, viewer: Viewer | null): void {
    if (endpoint.access === 'anyone') return;
    if (!viewer) throw new Refusal('unauthenticated');
    if (viewer.role === 'Banned') throw new Refusal('banned');
    if (endpoint.access === 'signed-in') return;
    if (!endpoint.access.every((permission) => can(viewer.role, permission))) throw new Refusal('forbidden');
  }

  /** A form or a script of another site cannot set these; older browsers send neither and rely on the token. */
  function checkOrigin(request: FastifyRequest): void {
    if (request.headers['sec-fetch-site'] === 'cross-site') throw new Refusal('foreign_origin');
  }

  function checkCsrf(request: FastifyRequest, session: Session | null): Session {
    const given = request.headers['x-xsrf-token'];
    if (!session || typeof given !== 'string' || !isSameSecret(given, session.csrfToken)) {
      throw new Refusal('csrf_mismatch');
    }
    return session;
  }

  async function handle<E extends Endpoint>(
    endpoint: E,
    handler: Handler<E>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const device: Device = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const receivedAt = clock.now();
    let session = await sessionOf(request, reply);
    if (session?.viewer) request.viewerId = session.viewer.id;
    if (isDown() && !endpoint.openInMaintenance) throw new Refusal('maintenance');

    let signed: SignedRequest | null = null;
    if (isMutating(endpoint.method)) {
      await limits.take({ key: `mutating:${addressKey(device.ip)}`, ...mutatingPerAddress });
      checkOrigin(request);
      session = checkCsrf(request, session);
      const path = request.url.split('?', 1)[0] ?? '';
      signed = verifySignature(endpoint.method, path, request.body, session.csrfToken, clock.now().getTime());
    }
    const viewer = session?.viewer ?? null;
    checkAccess(endpoint, viewer);

    const use: NonceUse | null =
      signed && session
        ? {
            owner: viewer ? `user:${viewer.id}` : session.owner,
            nonce: signed.nonce,
            requestHash: signed.requestHash,
            movesMoney: endpoint.movesMoney,
          }
        : null;
    if (use && signed?.isExpired) {
      const stored = await nonces.earlier(use);
      if (stored) return sendStored(reply, stored);
      throw new Refusal('signature_expired', { extra: { server_time: clock.now().getTime() } });
    }

    const params = parse(endpoint.params, request.params, () => new Refusal('not_found'));
    const query = parse(endpoint.query, request.query, invalidInput);
    const body = parse(endpoint.body, signed?.body, invalidInput);
    if (use) {
      const stored = await nonces.claim(use);
      if (stored) return sendStored(reply, stored);
    }

    const current = session;
    const adopt = (issued: IssuedSession) => {
      cookies.send(reply, issued);
      request.viewerId = issued.viewer?.id;
    };
    const call = {
      params,
      query,
      body,
      viewer,
      session,
      device,
      receivedAt,
      requestKey: use ? `${use.owner}:${use.nonce}` : '',
      startSession: async (newViewer: Viewer) => adopt(await sessions.issue(newViewer, device, current)),
      endSession: async () => {
        if (current) await sessions.end(current);
        cookies.clear(reply);
      },
      http: { request, reply },
    } as Call<E>;
    return use?.movesMoney
      ? answerOnce(endpoint, use, () => handler(call))
      : answer(endpoint, await handler(call), reply);
  }

  function answer(endpoint: Endpoint, result: unknown, reply: FastifyReply): unknown {
    if (reply.sent || endpoint.produces !== null) return result;
    if (endpoint.reply === undefined) return reply.code(204).send();
    if (checkReplies) assertReply(endpoint, result);
    return result;
  }

  /** The first answer, a refusal too, is what every repeat is told. Only a failure that nobody decided leaves the way open. */
  async function answerOnce(endpoint: Endpoint, use: NonceUse, run: () => Promise<unknown>): Promise<unknown> {
    try {
      const result = await run();
      assert(endpoint.reply, `${endpoint.path} moves money and must answer JSON`);
      if (checkReplies) assertReply(endpoint, result);
      await nonces.store(use, { status: 200, answer: JSON.stringify(result) });
      return result;
    } catch (error) {
      if (error instanceof Refusal && refusals[error.code].status < 500) {
        await nonces.store(use, { status: refusals[error.code].status, answer: JSON.stringify(errorBody(error)) });
      } else {
        await nonces.release(use);
      }
      throw error;
    }
  }

  function sendStored(reply: FastifyReply, { status, answer: text }: { status: number; answer: string }): FastifyReply {
    return reply.code(status).type('application/json; charset=utf-8').send(text);
  }

  const served = new Set<Endpoint>();
  return {
    isServed: (endpoint) => served.has(endpoint),
    on(endpoint, handler) {
      served.add(endpoint);
      app.route({
        method: endpoint.method,
        url: endpoint.path,
        handler: (request, reply) => handle(endpoint, handler, request, reply),
      });
    },
  };
}

function parse(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  refuse: (issues: readonly z.core.$ZodIssue[]) => Refusal,
): unknown {
  if (!schema) return undefined;
  const parsed = z.safeParse(schema, value ?? {});
  const issues = parsed.success ? [] : [...parsed.error.issues];
  // Checked here for every text of every endpoint, because a schema of one field could be forgotten.
  const refused = new Set(issues.map(({ path }) => path.join('.')));
  for (const path of unstorablePaths(value)) {
    if (refused.has(path.join('.'))) continue;
    issues.push({ code: 'custom', path, message: unstorableText, input: undefined });
  }
  if (!parsed.success || issues.length > 0) throw refuse(issues);
  return parsed.data;
}

function assertReply(endpoint: Endpoint, result: unknown): void {
  assert(endpoint.reply);
  const checked = z.safeParse(endpoint.reply, JSON.parse(JSON.stringify(result)));
  assert(
    checked.success,
    `${endpoint.method} ${endpoint.path} answers outside its contract: ${checked.error?.message}`,
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    viewerId?: number | undefined;
  }
}
