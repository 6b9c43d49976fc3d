import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { closeWithin } from './connection.ts';
import { subprotocols } from './frames.ts';
import type { Hub } from './hub.ts';
import type { HubLimits } from './limits.ts';
import type { HubLog, HubMetrics, UpgradeRefusal } from './ports.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { Pass, Tokens } from './token.ts';
import type { UsedTokens } from './used-tokens.ts';

interface Dependencies {
  path: string;
  origin: string;
  tokens: Tokens;
  usedTokens: UsedTokens;
  revokedTokens: RevokedTokens;
  hub: Hub;
  limits: HubLimits;
  log: HubLog;
  metrics: HubMetrics | undefined;
}

const statusOf = {
  origin: 403,
  protocol: 400,
  token: 401,
  'sent-away': 401,
  'user-full': 429,
  'node-full': 503,
  'shutting-down': 503,
} as const satisfies Record<UpgradeRefusal, number>;

/** Decides which clients may connect. A refused client gets a plain HTTP answer, so it costs no WebSocket. */
export function createUpgradeHandler({
  path,
  origin,
  tokens,
  usedTokens,
  revokedTokens,
  hub,
  limits,
  log,
  metrics,
}: Dependencies) {
  let isShut = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Messages are some 100 bytes. Compressing them would cost memory per socket and prevent sharing one buffer.
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    handleProtocols: (offered) => chosenFrom(offered) ?? false,
  });

  /** Reasons that need no token. Browsers always send `Origin`; other clients need not. */
  function firstRefusal(request: IncomingMessage): UpgradeRefusal | null {
    if (isShut) return 'shutting-down';
    if (request.headers.origin !== undefined && request.headers.origin !== origin) return 'origin';
    if (!chosenFrom(protocolsOf(request))) return 'protocol';
    return null;
  }

  /** Reasons that may appear while the handler waits. */
  function lateRefusal(pass: Pass): UpgradeRefusal | null {
    if (isShut) return 'shutting-down';
    if (revokedTokens.covers(pass)) return 'sent-away';
    if (hub.connectionsOf(pass.user) >= limits.connectionsPerUser) return 'user-full';
    if (hub.connections() >= limits.connections) return 'node-full';
    return null;
  }

  async function decide(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const query = new URLSearchParams(request.url?.split('?')[1]);
    const refusal = firstRefusal(request);
    if (refusal) return refuse(socket, refusal);
    const upgrade = (welcome: (socket: WebSocket) => void) => server.handleUpgrade(request, socket, head, welcome);

    // The client wants to resume its lost session, which this hub does not support. After code 1008 it opens a new
    // connection at once; after an HTTP error it would retry the resume for 30 s.
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

  function refuse(socket: Duplex, reason: UpgradeRefusal): void {
    metrics?.refused(reason);
    // The address is not logged, because it contains the token.
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
      // The peer may disconnect while its token is read; without a listener the error would end the process.
      socket.on('error', () => socket.destroy());
      decide(request, socket, head).catch((error: unknown) => {
        log.error({ err: error }, 'real-time connection failed');
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
