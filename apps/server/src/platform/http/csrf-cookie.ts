import type { FastifyInstance } from 'fastify';
import { addressKey, type RateLimits } from '../rate-limits.ts';
import type { SessionCookies } from './cookies.ts';
import type { Sessions } from './session.ts';
import type { Visitors } from './visitors.ts';

/** A page needs one a day, so this is enough for a mobile operator's address that many phones share. */
const newVisitorsPerAddress = { most: 600, windowMs: 60_000 };

interface Dependencies {
  sessions: Sessions;
  visitors: Visitors;
  cookies: SessionCookies;
  limits: RateLimits;
}

/** As Sanctum's: hands out the CSRF token of the session in a cookie that the page can read. Stores nothing for a visitor. */
export function csrfCookieRoute(app: FastifyInstance, { sessions, visitors, cookies, limits }: Dependencies): void {
  app.get('/sanctum/csrf-cookie', async (request, reply) => {
    const token = cookies.read(request) ?? '';
    const session = visitors.find(token) ?? (token ? ((await sessions.find(token))?.session ?? null) : null);
    if (!session) await limits.take({ key: `csrf:address:${addressKey(request.ip)}`, ...newVisitorsPerAddress });
    cookies.send(reply, session ? { token, csrfToken: session.csrfToken } : visitors.issue());
    return reply.header('cache-control', 'no-store').code(204).send();
  });
}
