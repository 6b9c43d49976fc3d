import assert from 'node:assert/strict';
import {
  type BodyOf,
  type Endpoint,
  isMutating,
  isStaffChange,
  type ParamsOf,
  type QueryOf,
  type ReplyInput,
} from '@fpay/contract/endpoint';
import { refusals } from '@fpay/contract/refusals';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { withRecord } from '../audit.ts';
import type { Clock } from '../clock.ts';
import { addressKey, type RateLimits } from '../rate-limits.ts';
import { Refusal } from '../refusal.ts';
import { checkAccess } from './access.ts';
import { type ApiKeyCaller, type ApiKeys, bearerOf } from './api-key.ts';
import { assertReply, inputOf } from './call-input.ts';
import type { SessionCookies } from './cookies.ts';
import { errorBody } from './errors.ts';
import type { Nonces, NonceUse, StoredAnswer } from './nonces.ts';
import type { Device, Session, Sessions, Viewer } from './session.ts';
import { isSameSecret, type SignedRequest, verifySignature } from './signature.ts';
import type { Visitors } from './visitors.ts';

/** What a handler receives: the parsed parts of its endpoint and the caller. */
export interface HandledCall<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  viewer: E['access'] extends 'anyone' ? Viewer | null : Viewer;
  session: Session | null;
  /** The key that made the call instead of a session. */
  apiKey: number | null;
  device: Device;
  /** Taken before the session is looked up, because granted rights are those of that moment. */
  receivedAt: Date;
  /** The same for every repeat of one money-moving request, so that a result stored under it is stored once. */
  requestKey: string;
  /** Signs the caller in (a new session with its cookies) or out. */
  startSession(viewer: Viewer): Promise<void>;
  endSession(): Promise<void>;
  /** For answers that are not JSON, or have headers of their own. */
  http: { request: FastifyRequest; reply: FastifyReply };
}

export type CallHandler<E extends Endpoint> = (call: HandledCall<E>) => Promise<ReplyInput<E>>;

export interface Routes {
  on<E extends Endpoint>(endpoint: E, handler: CallHandler<E>): void;
  isServed(endpoint: Endpoint): boolean;
}

/** Fails at the start when a declared endpoint has no handler. */
export function assertAllServed(endpoints: readonly Endpoint[], routes: Routes): void {
  const missing = endpoints.filter((endpoint) => !routes.isServed(endpoint));
  assert(missing.length === 0, `nobody serves ${missing.map(({ method, path }) => `${method} ${path}`).join(', ')}`);
}

interface Dependencies {
  app: FastifyInstance;
  sessions: Sessions;
  /** Without it no call is made by key. */
  apiKeys?: ApiKeys;
  /** Without it only signed-in users can make mutating calls. */
  visitors?: Visitors;
  cookies: SessionCookies;
  nonces: Nonces;
  limits: RateLimits;
  clock: Clock;
  isDown: () => boolean;
  /** Outside production every answer is checked against its schema, and every change by staff for its record. */
  checkReplies: boolean;
}

/** Far above what one person or an office behind one address sends, and below a rate that overloads the server. */
const mutatingPerAddress = { most: 600, windowMs: 60_000 };

export function createRoutes({
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

  /** A form or a script of another site cannot set these headers. Older browsers send neither and rely on the token. */
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

  /** Who calls; null without a session. */
  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Session | null> {
    const session = await sessionOf(request, reply);
    if (session?.viewer) request.viewerId = session.viewer.id;
    return session;
  }

  /** A mutating call proves that one of our own pages made it. Null for a call that only reads. */
  async function verify(
    endpoint: Endpoint,
    request: FastifyRequest,
    session: Session | null,
  ): Promise<SignedRequest | null> {
    if (!isMutating(endpoint.method)) return null;
    await limits.take({ key: `mutating:${addressKey(request.ip)}`, ...mutatingPerAddress });
    checkOrigin(request);
    const { csrfToken } = checkCsrf(request, session);
    const path = request.url.split('?', 1)[0] ?? '';
    return verifySignature(endpoint.method, path, request.body, csrfToken, clock.now().getTime());
  }

  function authorise(endpoint: Endpoint, session: Session | null): Viewer | null {
    const viewer = session?.viewer ?? null;
    checkAccess(endpoint, viewer);
    return viewer;
  }

  /** Past its age a request gets the answer that it got in time, if there is one, and is refused otherwise. */
  async function answerToExpired(use: NonceUse): Promise<StoredAnswer> {
    const stored = await nonces.earlier(use);
    if (!stored) throw new Refusal('signature_expired', { extra: { server_time: clock.now().getTime() } });
    return stored;
  }

  /** How the handler signs the caller in or out. */
  function sessionChanges(request: FastifyRequest, reply: FastifyReply, device: Device, current: Session | null) {
    return {
      async startSession(viewer: Viewer): Promise<void> {
        const issued = await sessions.issue(viewer, device, current);
        cookies.send(reply, issued);
        request.viewerId = issued.viewer?.id;
      },
      async endSession(): Promise<void> {
        if (current) await sessions.end(current);
        cookies.clear(reply);
      },
    };
  }

  async function handle<E extends Endpoint>(
    endpoint: E,
    handler: CallHandler<E>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const device: Device = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const receivedAt = clock.now();
    const bearer = bearerOf(request);
    if (apiKeys && bearer) {
      const caller = await apiKeys.admit(bearer, endpoint, request.ip);
      return handleByKey(endpoint, handler, { request, reply }, { caller, device, receivedAt });
    }
    const session = await authenticate(request, reply);
    if (isDown() && !endpoint.openInMaintenance) throw new Refusal('maintenance');
    const signed = await verify(endpoint, request, session);
    const viewer = authorise(endpoint, session);

    const use = signed && session && nonceUseOf(endpoint, session, signed);
    if (use && signed.isExpired) return sendStored(reply, await answerToExpired(use));
    const input = inputOf(endpoint, request, signed?.body);
    const stored = use && (await nonces.claim(use));
    if (stored) return sendStored(reply, stored);

    const call = {
      ...input,
      viewer,
      session,
      apiKey: null,
      device,
      receivedAt,
      requestKey: use ? `${use.owner}:${use.nonce}` : '',
      ...sessionChanges(request, reply, device, session),
      http: { request, reply },
    } as HandledCall<E>;
    return use?.movesMoney
      ? answerOnce(endpoint, use, () => handler(call))
      : answer(endpoint, await handler(call), reply);
  }

  /**
   * A browser never adds a key by itself as it adds cookies, so such a call needs no CSRF token and no signature. The
   * session of a cookie that came along has no effect.
   */
  async function handleByKey<E extends Endpoint>(
    endpoint: E,
    handler: CallHandler<E>,
    http: { request: FastifyRequest; reply: FastifyReply },
    by: { caller: ApiKeyCaller; device: Device; receivedAt: Date },
  ): Promise<unknown> {
    const { viewer, id: apiKey } = by.caller;
    http.request.viewerId = viewer.id;
    assert(!endpoint.movesMoney, `${endpoint.path} moves money and cannot be called by key`);
    if (isDown() && !endpoint.openInMaintenance) throw new Refusal('maintenance');
    checkAccess(endpoint, viewer);
    const noSession = async () => assert.fail(`${endpoint.path} changes a session and was called by key`);
    const call = {
      ...inputOf(endpoint, http.request, http.request.body),
      viewer,
      session: null,
      apiKey,
      device: by.device,
      receivedAt: by.receivedAt,
      requestKey: '',
      startSession: noSession,
      endSession: noSession,
      http,
    };
    return answer(endpoint, await handler(call as unknown as HandledCall<E>), http.reply);
  }

  function answer(endpoint: Endpoint, result: unknown, reply: FastifyReply): unknown {
    if (reply.sent || endpoint.produces !== null) return result;
    if (endpoint.reply === undefined) return reply.code(204).send();
    if (checkReplies) assertReply(endpoint, result);
    return result;
  }

  /**
   * Stores the first answer, also a refusal, for every repeat. Only an unexpected failure lets a repeat run the handler
   * again.
   */
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

  function sendStored(reply: FastifyReply, { status, answer: text }: StoredAnswer): FastifyReply {
    return reply.code(status).type('application/json; charset=utf-8').send(text);
  }

  const served = new Set<Endpoint>();
  return {
    isServed: (endpoint) => served.has(endpoint),
    on(endpoint, handler) {
      served.add(endpoint);
      const checked: typeof handler =
        checkReplies && isStaffChange(endpoint)
          ? (call) => withRecord(`${endpoint.method} ${endpoint.path}`, () => handler(call))
          : handler;
      app.route({
        method: endpoint.method,
        url: endpoint.path,
        ...(endpoint.mostBodyBytes !== null && { bodyLimit: endpoint.mostBodyBytes }),
        handler: (request, reply) => handle(endpoint, checked, request, reply),
      });
    },
  };
}

function nonceUseOf({ movesMoney }: Endpoint, { viewer, owner }: Session, signed: SignedRequest): NonceUse {
  const { nonce, requestHash } = signed;
  return { owner: viewer ? `user:${viewer.id}` : owner, nonce, requestHash, movesMoney };
}

declare module 'fastify' {
  interface FastifyRequest {
    viewerId?: number | undefined;
  }
}
