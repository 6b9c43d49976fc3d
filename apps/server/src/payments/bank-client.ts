import { storableText } from '@fpay/contract/text';
import * as z from 'zod/mini';
import { inSpan } from '../platform/watching/tracing.ts';
import type { BankAnswer, BankOptions, Exchange } from './bank.ts';

/** What of a call is the bank's own. */
export interface BankDialect {
  baseUrl: string;
  headers: Record<string, string>;
  /** Fields that are never recorded. */
  secretFields: ReadonlySet<string>;
  /** The bank's id of an invoice, and our reference, which a request or an answer names. */
  namesIn(json: unknown): { invoice: string | null; reference: string | null };
  /** What an answer that is no success says; `unknown` when it says nothing about the request. */
  failureOf(status: number, json: unknown): Exclude<BankAnswer, { kind: 'done' }>;
}

export interface BankRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
}

/** The driver waits for the page to open; the bank's answers take a second or two at worst. */
const defaultTimeoutMs = 10_000;
/** The longest regular answer is a statement of some days or a check's PDF. */
const longestAnswerBytes = 8 * 1024 * 1024;
/** An exchange is stored for people to read, so it is cut to this length. */
const longestKeptText = 4_000;

/**
 * A small client on fetch for any bank, with a timeout, one kind of answer, and a record of every exchange. It never
 * repeats a call by itself.
 */
export function createBankClient(
  dialect: BankDialect,
  { onExchange, timeoutMs = defaultTimeoutMs }: Pick<BankOptions, 'onExchange' | 'timeoutMs'>,
) {
  async function send(request: BankRequest): Promise<{ status: number; text: string }> {
    const url = new URL(`${dialect.baseUrl.replace(/\/$/, '')}${request.path}`);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...dialect.headers,
        ...(request.body ? { 'content-type': 'application/json' } : {}),
      },
      ...(request.body ? { body: JSON.stringify(request.body) } : {}),
      // A redirect would carry the token to its target.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length > longestAnswerBytes) throw new Error('the answer is too long');
    return { status: response.status, text: storableText(bytes.toString('utf8')) };
  }

  async function record(
    request: BankRequest,
    startedAt: number,
    outcome: Pick<Exchange, 'httpStatus' | 'answer' | 'failure'>,
  ) {
    const sent = dialect.namesIn({ ...request.query, ...request.body });
    await onExchange?.({
      call: `${request.method} ${request.path}`,
      invoice: dialect.namesIn(outcome.answer).invoice ?? sent.invoice,
      reference: sent.reference,
      request: withoutSecrets(request.body ?? request.query ?? null),
      tookMs: Math.round(performance.now() - startedAt),
      ...outcome,
    });
  }

  const withoutSecrets = (json: unknown): unknown =>
    JSON.parse(JSON.stringify(json, (name, value) => (dialect.secretFields.has(name) ? '[kept out]' : value)));

  /** Files and saved cards are left out; text that is not JSON is stored as received, shortened. */
  function keepable(json: unknown, text: string): unknown {
    if (json === null || typeof json !== 'object') return { text: text.slice(0, longestKeptText) };
    const kept = JSON.stringify(withoutSecrets(json));
    return kept.length > longestKeptText ? { text: kept.slice(0, longestKeptText) } : JSON.parse(kept);
  }

  return async function call<S extends z.core.$ZodType>(
    request: BankRequest,
    schema: S,
  ): Promise<BankAnswer<z.core.output<S>>> {
    const startedAt = performance.now();
    let reply: { status: number; text: string };
    try {
      const attributes = { 'http.request.method': request.method, 'bank.call': request.path };
      reply = await inSpan({ name: `bank ${request.method} ${request.path}`, kind: 'client', attributes }, () =>
        send(request),
      );
    } catch (error) {
      const reason = `no answer: ${(error as Error).name} ${causeOf(error)}`.trim();
      await record(request, startedAt, { httpStatus: null, answer: null, failure: reason });
      return { kind: 'unknown', reason };
    }
    const { status, text } = reply;
    const json = jsonOf(text);
    await record(request, startedAt, { httpStatus: status, answer: keepable(json, text), failure: null });
    if (status >= 200 && status < 300) {
      const read = z.safeParse(schema, json);
      return read.success
        ? { kind: 'done', value: read.data }
        : { kind: 'unknown', reason: 'the answer cannot be read' };
    }
    return dialect.failureOf(status, json);
  };
}

function jsonOf(text: string): unknown {
  try {
    // An escape such as \u0000 becomes a character only here.
    return JSON.parse(text, (_, value) => (typeof value === 'string' ? storableText(value) : value));
  } catch {
    return null;
  }
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function causeOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error as Error).message;
}
