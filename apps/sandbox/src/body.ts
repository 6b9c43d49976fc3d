import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What a caller sent cannot be read. Each part answers it in its own words. */
export class UnreadableBody extends Error {}

/**
 * Bodies arrive as text and are read by the part they are meant for: an unreadable one gets that part's own error,
 * and a call without a content type is as welcome as with the real services.
 */
export function keepBodiesRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

export function rawBody(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

/** JSON, or a form when the caller says so; undefined when nothing was sent. */
export function readBody(request: FastifyRequest): unknown {
  const raw = rawBody(request);
  if (raw.trim() === '') return undefined;
  if (isForm(request)) return Object.fromEntries(new URLSearchParams(raw));
  try {
    return JSON.parse(raw);
  } catch {
    throw new UnreadableBody('the body is not valid JSON');
  }
}

/** curl says "form" whatever it sends, so a body that is plainly JSON is taken as such. */
export function isForm(request: FastifyRequest): boolean {
  const isCalledForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  return isCalledForm && !rawBody(request).trimStart().startsWith('{');
}
