import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { IssuedSession, Session } from './session.ts';

/** Long enough for a page that stays open over a day; a page whose cookie has expired gets 419 and fetches a new one. */
const lifeMs = 24 * 60 * 60_000;
const tokenShape = /^v\.([\w-]{22})\.([0-9a-z]{1,12})\.([\w-]{43})$/;

export interface Visitors {
  issue(): IssuedSession;
  /** Null when the cookie is not ours, was changed, or has expired. */
  find(token: string): Session | null;
}

/**
 * The session of a person who is not signed in. It is a signed cookie and not a row, so that a flood of visitors costs no
 * storage. The CSRF token is derived from the same cookie, so a token of one visitor is of no use to another.
 */
export function createVisitors({ secret, clock }: { secret: string; clock: Clock }): Visitors {
  const sign = (purpose: string, text: string) => createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();

  function sessionOf(id: string, expiry: string): Session {
    const csrfToken = sign('visitor-csrf', `${id}.${expiry}`).toString('base64url');
    return { id: null, owner: `visitor:${id}`, csrfToken, viewer: null };
  }

  return {
    issue() {
      const id = randomBytes(16).toString('base64url');
      const expiry = (clock.now().getTime() + lifeMs).toString(36);
      const mac = sign('visitor', `${id}.${expiry}`).toString('base64url');
      return { ...sessionOf(id, expiry), token: `v.${id}.${expiry}.${mac}` };
    },

    find(token) {
      const [, id, expiry, mac] = tokenShape.exec(token) ?? [];
      if (!id || !expiry || !mac) return null;
      const given = Buffer.from(mac, 'base64url');
      const expected = sign('visitor', `${id}.${expiry}`);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      return Number.parseInt(expiry, 36) > clock.now().getTime() ? sessionOf(id, expiry) : null;
    },
  };
}
