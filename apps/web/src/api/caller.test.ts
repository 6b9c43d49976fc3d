// @vitest-environment node
import { createHash, createHmac } from 'node:crypto';
import { endpoint } from '@fpay/contract/endpoint';
import { parseSignature, textToSign } from '@fpay/contract/signature';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createCaller } from './caller.ts';
import { createCsrf } from './csrf.ts';
import { ApiError, NetworkError } from './errors.ts';
import { createMoneyNonces } from './money-nonces.ts';

const readThing = endpoint({
  method: 'GET',
  path: '/api/things/:id',
  summary: '',
  access: 'anyone',
  params: z.object({ id: z.string() }),
  query: z.object({ since: z.optional(z.string()) }),
  reply: z.object({ name: z.string() }),
});
const body = z.object({ amount: z.number(), note: z.optional(z.string()) });
const mutating = { summary: '', access: 'anyone', body, reply: z.object({ id: z.number() }) } as const;
const addThing = endpoint({ method: 'POST', path: '/api/things', ...mutating });
const changeThing = endpoint({ method: 'PATCH', path: '/api/things', ...mutating });
const removeThing = endpoint({ method: 'DELETE', path: '/api/things', ...mutating });
const pay = endpoint({ method: 'POST', path: '/api/pay', movesMoney: true, ...mutating });

interface Sent {
  url: string;
  method: string;
  credentials: RequestCredentials | undefined;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** A server with these answers in order; the last one is repeated. */
let answers: (() => Response)[];
let sent: Sent[];
let csrfAsked: number;
let csrfIsDown: boolean;
let cookie: string;
let now: number;
let pauses: number[];
let isOffline: boolean;
let storage: Map<string, string>;

const ok =
  (json: unknown = { id: 1 }) =>
  () =>
    Response.json(json);
const no =
  (status: number, json: unknown, headers = {}) =>
  () =>
    Response.json(json, { status, headers });
const silence = () => {
  throw new TypeError('Failed to fetch');
};
const badCsrf = no(419, { message: 'CSRF token mismatch.', code: 'csrf_mismatch' });

const fakeFetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
  if (url === '/sanctum/csrf-cookie') {
    if (csrfIsDown) throw new TypeError('Failed to fetch');
    csrfAsked++;
    cookie = `theme=dark; XSRF-TOKEN=token-${csrfAsked}; other=1`;
    return new Response(null, { status: 204 });
  }
  sent.push({
    url: String(url),
    method: init.method ?? 'GET',
    credentials: init.credentials,
    headers: init.headers as Record<string, string>,
    body: init.body ? JSON.parse(String(init.body)) : {},
  });
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  if (!answer) throw new Error('The test has no answer for this request');
  return answer();
};

/** A newly opened page: its memory is empty, sessionStorage is not. */
function openPage() {
  const fetch = fakeFetch as typeof globalThis.fetch;
  return createCaller({
    fetch,
    csrf: createCsrf({ fetch, cookies: () => cookie }),
    nonces: createMoneyNonces({
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: (key) => void storage.delete(key),
    }),
    now: () => now,
    pause: async (ms) => void pauses.push(ms),
    isOffline: () => isOffline,
  });
}

beforeEach(() => {
  answers = [ok()];
  sent = [];
  csrfAsked = 0;
  csrfIsDown = false;
  cookie = 'XSRF-TOKEN=token-0';
  now = 1_800_000_000_000;
  pauses = [];
  isOffline = false;
  storage = new Map();
});

const nonceOf = (request: Sent | undefined) => parseSignature(request?.body.signature)?.nonce;

describe('a call', () => {
  it('goes to the host of the page, with credentials [API-01]', async () => {
    answers = [ok({ name: 'plug' })];
    await openPage().call(readThing, { params: { id: 'a b' }, query: { since: '5' } });
    answers = [ok()];
    await openPage().call(addThing, { body: { amount: 1 } });
    expect(sent.map(({ url, credentials }) => ({ url, credentials }))).toEqual([
      { url: '/api/things/a%20b?since=5', credentials: 'include' },
      { url: '/api/things', credentials: 'include' },
    ]);
  });

  it('returns what the contract declares and nothing else', async () => {
    answers = [ok({ name: 'plug', secret: 'x' })];
    expect(await openPage().call(readThing, { params: { id: '1' }, query: {} })).toEqual({ name: 'plug' });
    answers = [ok({ title: 'plug' })];
    await expect(openPage().call(readThing, { params: { id: '1' }, query: {} })).rejects.toThrow();
  });

  it.each([addThing, changeThing, removeThing])('signs the body of every $method [API-02]', async (declared) => {
    await openPage().call(declared, { body: { note: 'ї', amount: 2 } });
    const [request] = sent;
    const signature = parseSignature(request?.body.signature);
    const bodyHash = createHash('sha256').update('{"amount":2,"note":"ї"}').digest('hex');
    const nonce = signature?.nonce ?? '';
    const signedText = textToSign({ method: declared.method, path: '/api/things', unixMs: now, nonce, bodyHash });
    expect(signature).toEqual({
      unixMs: now,
      nonce: expect.stringMatching(/^[\w-]{22}$/),
      mac: createHmac('sha256', 'token-0').update(signedText).digest('base64url'),
    });
    expect(request?.headers).toEqual({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'X-XSRF-TOKEN': 'token-0',
    });
  });

  it('never uses a nonce twice for calls that do not move money', async () => {
    const { call } = openPage();
    await call(addThing, { body: { amount: 2 } });
    await call(addThing, { body: { amount: 2 } });
    expect(nonceOf(sent[0])).not.toEqual(nonceOf(sent[1]));
    expect(storage.size).toBe(0);
  });

  it('fetches the CSRF cookie first when there is none, once for all waiting calls', async () => {
    cookie = '';
    const { call } = openPage();
    await Promise.all([call(addThing, { body: { amount: 1 } }), call(addThing, { body: { amount: 2 } })]);
    expect(csrfAsked).toBe(1);
    expect(sent.map(({ headers }) => headers['X-XSRF-TOKEN'])).toEqual(['token-1', 'token-1']);
  });
});

describe('a refused call', () => {
  it('fetches the CSRF cookie again and repeats once when the token is refused [ERR-03]', async () => {
    answers = [badCsrf, ok({ id: 5 })];
    expect(await openPage().call(addThing, { body: { amount: 1 } })).toEqual({ id: 5 });
    expect(csrfAsked).toBe(1);
    expect(sent.map(({ headers }) => headers['X-XSRF-TOKEN'])).toEqual(['token-0', 'token-1']);

    sent = [];
    answers = [badCsrf];
    await expect(openPage().call(addThing, { body: { amount: 1 } })).rejects.toMatchObject({ status: 419 });
    expect(sent).toHaveLength(2);
  });

  it('passes on a 419 of another kind without a retry [ERR-03]', async () => {
    answers = [no(419, { message: 'CSRF cookie of another site', code: 'page_expired' })];
    await expect(openPage().call(addThing, { body: { amount: 1 } })).rejects.toMatchObject({ status: 419 });
    expect(sent).toHaveLength(1);
  });

  it("corrects its clock by the server's and signs again once [API-06]", async () => {
    const serverTime = now + 3_600_000;
    const expired = no(403, { message: 'Signature expired', code: 'signature_expired', server_time: serverTime });
    answers = [expired, ok({ id: 5 })];
    const { call } = openPage();
    await call(addThing, { body: { amount: 1 } });
    expect(sent.map((request) => parseSignature(request.body.signature)?.unixMs)).toEqual([now, serverTime]);

    // From here on the clock is right at the first attempt.
    await call(addThing, { body: { amount: 2 } });
    expect(parseSignature(sent[2]?.body.signature)?.unixMs).toBe(serverTime);

    sent = [];
    answers = [expired];
    await expect(call(addThing, { body: { amount: 1 } })).rejects.toMatchObject({ code: 'signature_expired' });
    expect(sent).toHaveLength(2);
  });

  it('is passed on with the whole answer of the server [ERR-04]', async () => {
    answers = [
      no(422, { message: 'Wrong', code: 'invalid_input', errors: { amount: ['Too much'] } }, { 'Retry-After': '30' }),
    ];
    const error = await openPage()
      .call(addThing, { body: { amount: 1 } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      message: 'Wrong',
      code: 'invalid_input',
      errors: { amount: ['Too much'] },
      retryAfter: 30,
    });
    expect(sent).toHaveLength(1);
  });

  it('is recognised by its status when a proxy answers with a page [ERR-04]', async () => {
    answers = [() => new Response('<html>', { status: 502, statusText: 'Bad Gateway' })];
    await expect(openPage().call(addThing, { body: { amount: 1 } })).rejects.toMatchObject({
      status: 502,
      code: null,
      errors: {},
      retryAfter: null,
    });
  });

  it('is passed to listeners until they unsubscribe', async () => {
    answers = [no(401, { message: 'Unauthenticated.', code: 'unauthenticated' })];
    const { call, onRefusal } = openPage();
    const codes: string[] = [];
    const stop = onRefusal(({ code }) => codes.push(code ?? ''));
    await call(readThing, { params: { id: '1' }, query: {} }).catch(() => undefined);
    stop();
    await call(readThing, { params: { id: '1' }, query: {} }).catch(() => undefined);
    expect(codes).toEqual(['unauthenticated']);
  });
});

describe('a call without an answer', () => {
  it('is repeated with growing pauses when it only reads', async () => {
    answers = [silence, silence, ok({ name: 'plug' })];
    await openPage().call(readThing, { params: { id: '1' }, query: {} });
    expect(sent).toHaveLength(3);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses).toHaveLength(2);
  });

  it('fails with its own kind of error after a few attempts', async () => {
    answers = [silence];
    await expect(openPage().call(readThing, { params: { id: '1' }, query: {} })).rejects.toThrow(NetworkError);
    expect(sent).toHaveLength(4);
  });

  it('fails at once when it only reads and the device is offline', async () => {
    isOffline = true;
    answers = [silence];
    await expect(openPage().call(readThing, { params: { id: '1' }, query: {} })).rejects.toThrow(NetworkError);
    expect(sent).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it('is not repeated when it changes something, because it may have arrived', async () => {
    answers = [silence];
    await expect(openPage().call(addThing, { body: { amount: 1 } })).rejects.toThrow(NetworkError);
    expect(sent).toHaveLength(1);
  });

  it('rethrows the reason of an abort', async () => {
    const given = new AbortController();
    given.abort(new Error('left the page'));
    answers = [
      () => {
        throw given.signal.reason;
      },
    ];
    const call = openPage().call(readThing, { params: { id: '1' }, query: {}, signal: given.signal });
    await expect(call).rejects.toThrow('left the page');
    expect(sent).toHaveLength(1);
  });
});

describe('a call that moves money', () => {
  it('keeps its nonce over a lost network and a reload, so that nothing is paid twice [API-07]', async () => {
    answers = [silence];
    await expect(openPage().call(pay, { body: { amount: 100 } })).rejects.toThrow(NetworkError);
    answers = [ok({ id: 9 })];
    await openPage().call(pay, { body: { amount: 100 } });
    expect(new Set(sent.map(nonceOf)).size).toBe(1);
    expect(sent.length).toBeGreaterThan(2);
  });

  it('keeps its nonce after a server error, because the money may have moved', async () => {
    answers = [no(500, { message: 'Server Error' })];
    await openPage()
      .call(pay, { body: { amount: 100 } })
      .catch(() => undefined);
    answers = [ok()];
    await openPage().call(pay, { body: { amount: 100 } });
    expect(nonceOf(sent[0])).toEqual(nonceOf(sent[1]));
  });

  it.each([
    ['a success', ok()],
    ['a refusal', no(409, { message: 'The connector is taken' })],
  ])('uses a new nonce after %s, because the same amount again is another payment', async (_, answer) => {
    answers = [answer];
    for (let payment = 0; payment < 2; payment++) {
      await openPage()
        .call(pay, { body: { amount: 100 } })
        .catch(() => undefined);
    }
    expect(nonceOf(sent[0])).not.toEqual(nonceOf(sent[1]));
  });

  it('has its own nonce for another amount', async () => {
    answers = [silence];
    for (const amount of [100, 250]) {
      await openPage()
        .call(pay, { body: { amount } })
        .catch(() => undefined);
    }
    expect(new Set(sent.map(nonceOf)).size).toBe(2);
  });

  it('that was never sent leaves no nonce and may not have arrived, so nothing of it is sent later [PAY-36]', async () => {
    cookie = '';
    csrfIsDown = true;
    answers = [ok()];
    const failed = openPage().call(pay, { body: { amount: 100 } });
    await expect(failed).rejects.toMatchObject({ name: 'NetworkError', mayHaveArrived: false });
    expect(storage.size).toBe(0);
    expect(sent).toEqual([]);
  });

  it('that was sent without an answer may have arrived', async () => {
    answers = [silence];
    const failed = openPage().call(pay, { body: { amount: 100 } });
    await expect(failed).rejects.toMatchObject({ name: 'NetworkError', mayHaveArrived: true });
    expect(storage.size).toBe(1);
  });

  it('can be withdrawn until it is sent, and not after [PAY-36]', async () => {
    answers = [silence, ok({ id: 9 })];
    const given = new AbortController();
    given.abort();
    const withdrawn = openPage().call(pay, { body: { amount: 100 }, signal: given.signal });
    await expect(withdrawn).rejects.toThrow(given.signal.reason);
    expect(sent).toEqual([]);
    expect(storage.size).toBe(0);

    const late = new AbortController();
    answers = [
      () => {
        late.abort();
        return silence();
      },
      ok({ id: 9 }),
    ];
    expect(await openPage().call(pay, { body: { amount: 100 }, signal: late.signal })).toEqual({ id: 9 });
    expect(new Set(sent.map(nonceOf)).size).toBe(1);
    expect(sent).toHaveLength(2);
  });

  it('pressed twice at once is one call also before the first is sent', async () => {
    answers = [ok()];
    const page = openPage();
    await Promise.all([page.call(pay, { body: { amount: 100 } }), page.call(pay, { body: { amount: 100 } })]);
    expect(sent).toHaveLength(2);
    expect(nonceOf(sent[0])).toEqual(nonceOf(sent[1]));
  });
});
