import type { FastifyReply } from 'fastify';
import { trustedDeviceDays } from './second-factor.ts';

/**
 * Identifies a device on which a staff member has entered the second factor. It gives no access without the password.
 */
export const deviceCookie = 'fpay_device';

export function sendDeviceCookie(reply: FastifyReply, token: string, isHttps: boolean): void {
  reply.setCookie(deviceCookie, token, {
    path: '/api/login',
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps,
    maxAge: trustedDeviceDays * 24 * 60 * 60,
  });
}
