import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { UserCredentials } from '../store.ts';

const lifeDays = 180;
const dayMs = 24 * 60 * 60_000;
const tokenShape = /^([\w-]{22})\.([0-9a-z]{1,12})\.([\w-]{43})$/;

/** Identifies a device that signed in to an account before. It gives no access without the password. */
export const knownDeviceCookie = 'fpay_known_device';

type Owner = Pick<UserCredentials, 'id' | 'passwordHash'>;

/**
 * Devices that have signed in before. The cookie is signed for one account and its present password, so a device that
 * knew an earlier password is unknown again.
 */
export function createKnownDevices({ secret, clock }: { secret: string; clock: Clock }) {
  const sign = ({ id, passwordHash }: Owner, claim: string) =>
    createHmac('sha256', secret).update(`known-device\n${id}\n${passwordHash}\n${claim}`).digest();

  return {
    issue(user: Owner): string {
      const claim = `${randomBytes(16).toString('base64url')}.${(clock.now().getTime() + lifeDays * dayMs).toString(36)}`;
      return `${claim}.${sign(user, claim).toString('base64url')}`;
    },

    /** The device's own id, or null when it is not known for this user. */
    idOf(user: Owner | null, token: string | undefined): string | null {
      const [, id, expiry, mac] = tokenShape.exec(token ?? '') ?? [];
      if (!user || !id || !expiry || !mac) return null;
      const given = Buffer.from(mac, 'base64url');
      const expected = sign(user, `${id}.${expiry}`);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      return Number.parseInt(expiry, 36) > clock.now().getTime() ? id : null;
    },
  };
}

export type KnownDevices = ReturnType<typeof createKnownDevices>;

export function sendKnownDevice(reply: FastifyReply, token: string, isHttps: boolean): void {
  reply.setCookie(knownDeviceCookie, token, {
    path: '/api/login',
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps,
    maxAge: lifeDays * 24 * 60 * 60,
  });
}
