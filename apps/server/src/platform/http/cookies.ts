import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IssuedSession } from './session.ts';

/** The two cookies of a session: the secret one, and the token that our page reads and sends back. */
export interface SessionCookies {
  read(request: FastifyRequest): string | undefined;
  send(reply: FastifyReply, session: Pick<IssuedSession, 'token' | 'csrfToken'>): void;
  clear(reply: FastifyReply): void;
}

/** The cookie lives as long as a session slides; the server may end the session earlier. */
const maxAgeSeconds = 30 * 24 * 60 * 60;
const csrfCookie = 'XSRF-TOKEN';

/** The two cookies of a session: the secret one, and the CSRF token that our page reads and sends back. */
export function createSessionCookies(isHttps: boolean): SessionCookies {
  // The prefix makes the browser refuse the cookie from a sub-domain or over plain http.
  const sessionCookie = isHttps ? '__Host-fpay_session' : 'fpay_session';
  const options = { path: '/', sameSite: 'lax', secure: isHttps, maxAge: maxAgeSeconds } as const;

  return {
    read: (request: FastifyRequest): string | undefined => request.cookies[sessionCookie],
    send(reply: FastifyReply, { token, csrfToken }: Pick<IssuedSession, 'token' | 'csrfToken'>): void {
      reply.setCookie(sessionCookie, token, { ...options, httpOnly: true });
      reply.setCookie(csrfCookie, csrfToken, options);
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(sessionCookie, { path: '/', secure: isHttps });
      reply.clearCookie(csrfCookie, { path: '/', secure: isHttps });
    },
  };
}
