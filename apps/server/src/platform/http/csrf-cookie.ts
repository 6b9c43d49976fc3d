import type { FastifyInstance } from 'fastify';
import type { SessionCookies } from './cookies.ts';
import type { Sessions } from './session.ts';

/** As Sanctum's: makes sure the visitor has a session, and hands out its token in a cookie that the page can read. */
export function csrfCookieRoute(app: FastifyInstance, sessions: Sessions, cookies: SessionCookies): void {
  app.get('/sanctum/csrf-cookie', async (request, reply) => {
    const token = cookies.read(request);
    const found = token ? await sessions.find(token) : null;
    const device = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
    const issued =
      token && found ? { token, csrfToken: found.session.csrfToken } : await sessions.issue(null, device, null);
    cookies.send(reply, issued);
    return reply.header('cache-control', 'no-store').code(204).send();
  });
}
