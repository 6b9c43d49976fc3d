import type { IncomingMessage } from 'node:http';
import type { Protocol } from '@fpay/ocpp';

/** Longer ones are not ours: the column of identities holds what staff typed. */
const longestIdentity = 255;

/** `/ocpp/<identity>`, percent-encoded, with or without a slash at the end. Null: not a charge point's address. */
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
 * The password of HTTP Basic as bytes: the standard's keys are no text. The identity may hold a colon itself, so it is
 * taken off as it is known, not at the first colon.
 */
export function passwordOf(header: string | undefined, identity: string): Buffer | null {
  const match = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '');
  if (!match?.[1]) return null;
  const given = Buffer.from(match[1], 'base64');
  const user = Buffer.from(`${identity}:`);
  return given.subarray(0, user.length).equals(user) ? given.subarray(user.length) : null;
}

/** The first of ours that is offered; none offered is 1.6, which is what devices that leave it out speak. */
export function protocolOf(request: IncomingMessage, spoken: readonly Protocol[]): Protocol | null {
  const header = request.headers['sec-websocket-protocol'];
  if (header === undefined || header.trim() === '') return 'ocpp1.6';
  const offered = header.split(',').map((word) => word.trim().toLowerCase());
  return spoken.find((protocol) => offered.includes(protocol)) ?? null;
}
