import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { closeWithin } from './connection.ts';
import { subprotocols } from './frames.ts';
import type { Hub } from './hub.ts';
import type { Limits } from './limits.ts';
import type { SentAway } from './sent-away.ts';
import type { Pass, Tokens } from './token.ts';
import type { UsedTokens } from './used-tokens.ts';
import type { Log, Metrics, Refused } from './watch.ts';

interface Dependencies {
  path: string;
  origin: string;
  tokens: Tokens;
  usedTokens: UsedTokens;
  sentAway: SentAway;
  hub: Hub;
  limits: Limits;
  log: Log;
  metrics: Metrics | undefined;
}

const statusOf = {
  origin: 403,
  protocol: 400,
  token: 401,
  'sent-away': 401,
  'user-full': 429,
  'node-full': 503,
  'shutting-down': 503,
} as const satisfies Record<Refused, number>;

/** Decides who comes in. Whoever does not gets a plain HTTP answer: a refused client costs no WebSocket. */
export function createGate({ path, origin, tokens, usedTokens, sentAway, hub, limits, log, metrics }: Dependencies) {
  let isShut = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Messages are some 100 bytes; compressing them would cost memory per socket and make one buffer for all useless.
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    handleProtocols: (offered) => chosenFrom(offered) ?? false,
  });

  /** What can be said without the token. Browsers always send `Origin`; other clients need none. */
  function firstRefusal(request: IncomingMessage): Refused | null {
    if (isShut) return 'shutting-down';
    if (request.headers.origin !== undefined && request.headers.origin !== origin) return 'origin';
    if (!chosenFrom(protocolsOf(request))) return 'protocol';
    return null;
  }

  /** What can change at any time while something is awaited. */
  function lateRefusal(pass: Pass): Refused | null {
    if (isShut) return 'shutting-down';
    if (sentAway.covers(pass)) return 'sent-away';
    if (hub.connectionsOf(pass.user) >= limits.connectionsPerUser) return 'user-full';
    if (hub.connections() >= limits.connections) return 'node-full';
    return null;
  }

  async function decide(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const query = new URLSearchParams(request.url?.split('?')[1]);
    const refusal = firstRefusal(request);
    if (refusal) return refuse(socket, refusal);
    const upgrade = (welcome: (socket: WebSocket) => void) => server.handleUpgrade(request, socket, head, welcome);

    // A client that wants its lost session back: there is none here. Told so by 1008 it connects anew at once,
    // while an HTTP error would make it ask again for 30 s.
    if (query.has('awps_connection_id')) return upgrade(noSession);

    const pass = await tokens.read(query.get('access_token') ?? '');
    if (!pass) return refuse(socket, isShut ? 'shutting-down' : 'token');
    const early = lateRefusal(pass);
    if (early) return refuse(socket, early);
    const isFirstUse = await usedTokens.use(pass.id, pass.expiresAtMs);
    // Nothing is awaited from here to `admit`, because a sign-out or a shutdown in between would be missed.
    const late = lateRefusal(pass) ?? (isFirstUse ? null : 'token');
    if (late) return refuse(socket, late);
    upgrade((admitted) => hub.admit(admitted, pass));
  }

  function noSession(socket: WebSocket): void {
    socket.on('error', () => socket.terminate());
    closeWithin(limits.closeMs, socket, 1008, 'The session is not known here');
  }

  function refuse(socket: Duplex, reason: Refused): void {
    metrics?.refused(reason);
    // Never the address: the token is in it.
    log.debug({ reason }, 'real-time connection refused');
    const status = statusOf[reason];
    const body = JSON.stringify({ message: STATUS_CODES[status] });
    socket.once('finish', () => socket.destroy());
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }

  return {
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
      if (request.url?.split('?')[0] !== path) return false;
      // The peer may go away while its token is read; without a listener that would end the process.
      socket.on('error', () => socket.destroy());
      decide(request, socket, head).catch((error: unknown) => {
        log.error({ err: error }, 'real-time connection failed to open');
        socket.destroy();
      });
      return true;
    },

    shut(): void {
      isShut = true;
    },
  };
}

function protocolsOf(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

function chosenFrom(offered: Iterable<string>): string | undefined {
  for (const name of offered) if (subprotocols.has(name)) return name;
  return undefined;
}
