import { storableText } from '@fpay/contract/text';
import * as z from 'zod/mini';
import { inSpan } from '../../platform/watching/tracing.ts';
import type { BankAnswer, Exchange } from '../bank.ts';
import { BankFailure } from './schemas.ts';
import { refusalMeaningOf } from './terms.ts';

export interface ClientOptions {
  baseUrl: string;
  token: string;
  /** Called for every exchange; must not throw. */
  onExchange?: (exchange: Exchange) => void | Promise<void>;
  timeoutMs?: number;
}

export interface Request {
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
 * A small client on fetch with a timeout, one kind of answer, and a record of every exchange. It never repeats a call
 * by itself.
 */
export function createBankClient({ baseUrl, token, onExchange, timeoutMs = defaultTimeoutMs }: ClientOptions) {
  async function send(request: Request): Promise<{ status: number; text: string }> {
    const url = new URL(`${baseUrl.replace(/\/$/, '')}/api/merchant${request.path}`);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method: request.method,
      headers: {
        'x-token': token,
        accept: 'application/json',
        'x-cms': 'FPay',
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
    request: Request,
    startedAt: number,
    outcome: Pick<Exchange, 'httpStatus' | 'answer' | 'failure'>,
  ) {
    const { invoiceId, merchantPaymInfo } = { ...request.query, ...request.body } as Record<string, unknown>;
    const { reference } = (merchantPaymInfo ?? {}) as Record<string, unknown>;
    await onExchange?.({
      call: `${request.method} ${request.path}`,
      invoice: invoiceOf(outcome.answer) ?? textOrNull(invoiceId),
      reference: textOrNull(reference),
      request: withoutSecrets(request.body ?? request.query ?? null),
      tookMs: Math.round(performance.now() - startedAt),
      ...outcome,
    });
  }

  return async function call<S extends z.core.$ZodType>(
    request: Request,
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
    const said = z.safeParse(BankFailure, json);
    const failure = said.success ? said.data : {};
    const code = String(failure.errCode ?? status);
    const reason = failure.errText ?? `HTTP ${status}`;
    return isRefusal(status, code)
      ? { kind: 'refused', code, reason, meaning: refusalMeaningOf(code) }
      : { kind: 'unknown', reason: `${code}: ${reason}` };
  };
}

/** Too many requests and the bank's own errors say nothing about the request; a 4xx and 'cancel not available' do. */
function isRefusal(status: number, code: string): boolean {
  if (code === 'CANCEL_NOT_AVAILABLE') return true;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function jsonOf(text: string): unknown {
  try {
    // An escape such as \u0000 becomes a character only here.
    return JSON.parse(text, (_, value) => (typeof value === 'string' ? storableText(value) : value));
  } catch {
    return null;
  }
}

/** Files and saved cards are left out; text that is not JSON is stored as received, shortened. */
function keepable(json: unknown, text: string): unknown {
  if (json === null || typeof json !== 'object') return { text: text.slice(0, longestKeptText) };
  const kept = JSON.stringify(withoutSecrets(json));
  return kept.length > longestKeptText ? { text: kept.slice(0, longestKeptText) } : JSON.parse(kept);
}

function withoutSecrets(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json, (name, value) => (secretFields.has(name) ? '[kept out]' : value)));
}

const secretFields = new Set(['file', 'cardToken', 'walletData', 'token', 'key']);

function invoiceOf(answer: unknown): string | null {
  return textOrNull((answer as { invoiceId?: unknown } | null)?.invoiceId);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function causeOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error as Error).message;
}
