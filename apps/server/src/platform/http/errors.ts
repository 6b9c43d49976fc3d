import { type RefusalCode, refusals } from '@fpay/contract/refusals';
import type { ErrorBody } from '@fpay/contract/wire';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { isDatabaseAway, isDeletedUser } from '../database.ts';
import { Refusal } from '../refusal.ts';

/** The only place where something thrown becomes an HTTP answer. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalFor(error);
  if (!refusal) {
    request.log.error({ err: error }, 'request failed');
    return reply.code(500).send({ message: 'Server Error' } satisfies ErrorBody);
  }
  if (refusal.retryAfter !== undefined) {
    reply.header('retry-after', refusal.retryAfter);
    if (refusal.code === 'too_many_attempts') sendLimitHeaders(reply, refusal);
  }
  return reply.code(refusals[refusal.code].status).send(errorBody(refusal));
}

export function errorBody({ code, fields, extra, message }: Refusal): ErrorBody {
  const { limit: _, ...more } = extra;
  return { message: messageOf(message, fields), code, ...(fields ? { errors: fields } : {}), ...more };
}

/** Laravel's form: the first text, and how many more there are. */
function messageOf(usual: string, fields: Record<string, string[]> | undefined): string {
  const texts = Object.values(fields ?? {}).flat();
  const [first, ...rest] = texts;
  if (first === undefined) return usual;
  if (rest.length === 0) return first;
  return `${first} (and ${rest.length} more error${rest.length === 1 ? '' : 's'})`;
}

function sendLimitHeaders(reply: FastifyReply, refusal: Refusal): void {
  reply.header('x-ratelimit-limit', String(refusal.extra.limit ?? ''));
  reply.header('x-ratelimit-remaining', '0');
  reply.header('x-ratelimit-reset', String(Math.floor(Date.now() / 1000) + (refusal.retryAfter ?? 0)));
}

const fastifyRefusals: Record<string, RefusalCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'json_only',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
};

function refusalFor(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (isDatabaseAway(error)) return new Refusal('database_away', { retryAfter: 5 });
  if (isDeletedUser(error)) return new Refusal('unauthenticated');
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code && fastifyRefusals[code]) return new Refusal(fastifyRefusals[code]);
  if (error instanceof SyntaxError && statusCode === 400) return new Refusal('malformed_json');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Refusal('bad_request');
  return null;
}

/** Dot paths, as Laravel clients expect: `cars.0.name`. */
export function invalidInput(issues: readonly z.core.$ZodIssue[]): Refusal {
  // A client may send a field that is named like a property of every object, for example `constructor`.
  const fields: Record<string, string[]> = Object.create(null);
  for (const issue of issues) {
    const path = issue.path.join('.') || 'body';
    fields[path] ??= [];
    fields[path].push(issue.message);
  }
  return new Refusal('invalid_input', { fields });
}
