import type { FastifyReply } from 'fastify';
import { invalidParameter } from './answer.ts';

export const mostPerPage = 100;

export interface OcpiPage {
  from: Date | null;
  to: Date | null;
  offset: number;
  limit: number;
}

/** A time without a zone means UTC. */
function timeOf(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/.test(text);
  const at = new Date(isTime && !/(Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text);
  if (!isTime || Number.isNaN(at.getTime())) throw invalidParameter(`${name} must be a time like 2026-11-15T17:00:00Z`);
  return at;
}

function countOf(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw invalidParameter(`${name} must be a number`);
  return Number(text);
}

/** The query of a list. A parameter that is given twice is refused. */
export function ocpiPageOf(query: unknown): OcpiPage {
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (typeof value !== 'string') throw invalidParameter(`${name} must be given once`);
    given.set(name, value);
  }
  const limit = countOf('limit', given.get('limit'), mostPerPage);
  if (limit < 1) throw invalidParameter('limit must be at least 1');
  return {
    from: timeOf('date_from', given.get('date_from')),
    to: timeOf('date_to', given.get('date_to')),
    offset: countOf('offset', given.get('offset'), 0),
    limit: Math.min(limit, mostPerPage),
  };
}

/** The link is built from the public address, because a proxy in front hides the one that the caller used. */
export function sendPageHeaders(reply: FastifyReply, url: string, page: OcpiPage, total: number): void {
  reply.header('x-total-count', String(total)).header('x-limit', String(mostPerPage));
  const next = page.offset + page.limit;
  if (next >= total) return;
  const link = new URL(url);
  if (page.from) link.searchParams.set('date_from', page.from.toISOString());
  if (page.to) link.searchParams.set('date_to', page.to.toISOString());
  link.searchParams.set('offset', String(next));
  link.searchParams.set('limit', String(page.limit));
  reply.header('link', `<${link.href}>; rel="next"`);
}
