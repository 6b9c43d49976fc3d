import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Protocol } from '@fpay/ocpp';

/** A longer identity is not ours, because staff enter identities by hand. */
const longestIdentity = 255;

/**
 * `/ocpp/<identity>`, percent-encoded, with or without a slash at the end. Null when it is not the address of a charge
 * point.
 */
export function identityOf(url: string | undefined): string | null {
  const path = (url ?? '').split('?', 1)[0] ?? '';
  const match = /^\/ocpp\/([^/]+)\/?$/.exec(path);
  if (!match?.[1] || match[1].length > 3 * longestIdentity) return null;
  try {
    const identity = decodeURIComponent(match[1]);
    return identity.length <= longestIdentity && !identity.includes('\0') ? identity : null;
  } catch {
    return null;
  }
}

/**
 * The password of HTTP Basic as bytes, because the standard's keys are not text. The identity may contain a colon, so
 * the known identity is removed instead of splitting at the first colon.
 */
export function passwordOf(header: string | undefined, identity: string): Buffer | null {
  const match = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '');
  if (!match?.[1]) return null;
  const given = Buffer.from(match[1], 'base64');
  const user = Buffer.from(`${identity}:`);
  return given.subarray(0, user.length).equals(user) ? given.subarray(user.length) : null;
}

/** The sub-protocols as the device wrote them. */
function offeredBy(request: IncomingMessage): string[] {
  const words = (request.headers['sec-websocket-protocol'] ?? '').split(',');
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

/** The first supported protocol that is offered. Without an offer it is 1.6, which devices that send none use. */
export function protocolOf(request: IncomingMessage, supported: readonly Protocol[]): Protocol | null {
  const offered = offeredBy(request).map((word) => word.toLowerCase());
  if (offered.length === 0) return 'ocpp1.6';
  return supported.find((protocol) => offered.includes(protocol)) ?? null;
}

/** ws echoes the returned value; nothing is echoed to a device that offered nothing, or nothing that we support. */
export function echoOf(offered: Set<string>, supported: readonly Protocol[]): string | false {
  return [...offered].find((word) => supported.includes(word.toLowerCase() as Protocol)) ?? false;
}

export function refuseUpgrade(socket: Duplex, status: string, headers: readonly string[] = []): void {
  socket.end(
    ['HTTP/1.1 ', status, '\r\n', ...headers.map((line) => `${line}\r\n`), 'connection: close\r\n\r\n'].join(''),
  );
}

/** The sub-protocol in it shows `npm run doctor` that the proxy passed it; devices ignore it in a refusal. */
export function refuseKey(socket: Duplex, request: IncomingMessage, supported: readonly Protocol[]): void {
  const echo = echoOf(new Set(offeredBy(request)), supported) || 'none';
  refuseUpgrade(socket, '401 Unauthorized', [
    'www-authenticate: Basic realm="ocpp"',
    `sec-websocket-protocol: ${echo}`,
  ]);
}
