import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { CallInput, Endpoint, ReplyOf } from '@fpay/contract/endpoint';
import { isMutating } from '@fpay/contract/endpoint';
import { canonicalJson, formatSignature, nonceBytes, textToSign } from '@fpay/contract/signature';

export interface TestAnswer<Body = unknown> {
  status: number;
  body: Body;
  headers: Headers;
}

export interface SignOptions {
  nonce?: string;
  unixMs?: number;
  /** Replaces or leaves out what a regular client would send. */
  csrf?: string | null;
  signature?: string | null;
  headers?: Record<string, string>;
}

/**
 * A client that behaves like the page: cookies, CSRF token and signature, over real HTTP. It is written independently
 * of the page's client, so that a mistake in one shows.
 */
export function createTestClient(baseUrl: string, now: () => number = Date.now, always: Record<string, string> = {}) {
  const jar = new Map<string, string>();

  function keepCookies(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const [name = '', value = ''] = pair.split('=', 2);
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
  }

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...always,
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    keepCookies(response.headers);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text, headers: response.headers };
  }

  function sign(method: string, path: string, body: object, options: SignOptions = {}): object {
    if (options.signature === null) return body;
    const nonce = options.nonce ?? randomBytes(nonceBytes).toString('base64url');
    const unixMs = options.unixMs ?? Math.round(now());
    const bodyHash = createHash('sha256').update(canonicalJson(body)).digest('hex');
    const mac = createHmac('sha256', jar.get('XSRF-TOKEN') ?? '')
      .update(textToSign({ method, path, unixMs, nonce, bodyHash }))
      .digest('base64url');
    return { ...body, signature: options.signature ?? formatSignature(unixMs, nonce, mac) };
  }

  async function mutate(method: string, path: string, body: object = {}, options: SignOptions = {}) {
    if (!jar.has('XSRF-TOKEN')) await send('GET', '/sanctum/csrf-cookie', undefined, options.headers);
    const token = options.csrf === undefined ? jar.get('XSRF-TOKEN') : options.csrf;
    const headers = { ...(token === null || token === undefined ? {} : { 'x-xsrf-token': token }), ...options.headers };
    return send(method, path, sign(method, path.split('?')[0] ?? '', body, options), headers);
  }

  return {
    jar,
    send,
    mutate,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    /** Calls an endpoint of the contract, as the page does; never throws on a refusal. */
    async call<E extends Endpoint>(
      endpoint: E,
      ...[input, options]: unknown extends CallInput<E>
        ? [input?: object, options?: SignOptions]
        : [input: CallInput<E>, options?: SignOptions]
    ): Promise<TestAnswer<ReplyOf<E> & { message?: string; code?: string; errors?: Record<string, string[]> }>> {
      const { params = {}, query = {}, body = {} } = (input ?? {}) as Record<string, Record<string, unknown>>;
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
      const search = new URLSearchParams(query as Record<string, string>).toString();
      const url = search ? `${path}?${search}` : path;
      return (isMutating(endpoint.method) ? mutate(endpoint.method, url, body, options) : send('GET', url)) as never;
    },
  };
}

export type Client = ReturnType<typeof createTestClient>;
