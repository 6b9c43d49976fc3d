import assert from 'node:assert/strict';
import type { Endpoint } from '@fpay/contract/endpoint';
import { unstorablePaths, unstorableText } from '@fpay/contract/text';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { Refusal } from '../refusal.ts';
import { invalidInput } from './errors.ts';

/** The parts of a request as its endpoint declares them. */
export function inputOf(endpoint: Endpoint, request: FastifyRequest, body: unknown) {
  return {
    params: parse(endpoint.params, request.params, () => new Refusal('not_found')),
    query: parse(endpoint.query, request.query, invalidInput),
    body: parse(endpoint.body, body, invalidInput),
  };
}

function parse(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  refuse: (issues: readonly z.core.$ZodIssue[]) => Refusal,
): unknown {
  if (!schema) return undefined;
  const parsed = z.safeParse(schema, value ?? {});
  const issues = parsed.success ? [] : [...parsed.error.issues];
  // Checked here for every text of every endpoint, because a schema of one field could be forgotten.
  const refused = new Set(issues.map(({ path }) => path.join('.')));
  for (const path of unstorablePaths(value)) {
    if (refused.has(path.join('.'))) continue;
    issues.push({ code: 'custom', path, message: unstorableText, input: undefined });
  }
  if (!parsed.success || issues.length > 0) throw refuse(issues);
  return parsed.data;
}

export function assertReply(endpoint: Endpoint, result: unknown): void {
  assert(endpoint.reply);
  const checked = z.safeParse(endpoint.reply, JSON.parse(JSON.stringify(result)));
  assert(
    checked.success,
    `${endpoint.method} ${endpoint.path} answers outside its contract: ${checked.error?.message}`,
  );
}
