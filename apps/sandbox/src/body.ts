import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The request body cannot be parsed. Each part answers this in its own format. */
export class UnreadableBody extends Error {}

/**
 * Bodies arrive as text and are parsed by the part they are meant for, so that an invalid one gets that part's own
 * error, and a call without a content type is accepted as by the real services.
 */
export function keepBodiesRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

export function rawBody(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

/** JSON, or a form according to the content type; undefined without a body. */
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

/** curl always sends the content type of a form, so a body that is clearly JSON is parsed as JSON. */
export function isForm(request: FastifyRequest): boolean {
  const isCalledForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  return isCalledForm && !rawBody(request).trimStart().startsWith('{');
}
