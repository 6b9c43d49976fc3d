import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Exchange } from '../bank.ts';
import { createMonobankClient } from './client.ts';

/** A bank whose answers the test sets. */
const app = fastify();
let answer: { status: number; body: unknown; headers?: Record<string, string> } = { status: 200, body: {} };
const asked: Record<string, unknown>[] = [];
const exchanges: Exchange[] = [];
let call: ReturnType<typeof createMonobankClient>;

beforeAll(async () => {
  app.all('/api/merchant/*', async ({ headers }, reply) => {
    asked.push(headers);
    return reply
      .code(answer.status)
      .headers(answer.headers ?? {})
      .send(answer.body);
  });
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  const onExchange = (exchange: Exchange) => void exchanges.push(exchange);
  call = createMonobankClient({ baseUrl, token: 'the-merchants-secret', onExchange });
});
afterAll(() => app.close());

const status = () =>
  call({ method: 'GET', path: '/invoice/status', query: { invoiceId: 'abc' } }, z.object({ status: z.string() }));

test.each([
  [200, { status: 'hold' }, { kind: 'done', value: { status: 'hold' } }],
  [400, { errCode: 'BAD_REQUEST', errText: 'bad' }, { kind: 'refused', code: 'BAD_REQUEST', reason: 'bad' }],
  [403, { errCode: 'FORBIDDEN' }, { kind: 'refused', code: 'FORBIDDEN' }],
  [404, 'gone', { kind: 'refused', code: '404' }],
  [500, { errCode: 'CANCEL_NOT_AVAILABLE', errText: 'no' }, { kind: 'refused', code: 'CANCEL_NOT_AVAILABLE' }],
  [500, { errCode: 'INTERNAL_ERROR' }, { kind: 'unknown' }],
  [502, '<html>', { kind: 'unknown' }],
  [429, { errCode: 'TMR' }, { kind: 'unknown' }],
  [408, '', { kind: 'unknown' }],
  [200, 'not json', { kind: 'unknown' }],
  [200, { status: 5 }, { kind: 'unknown' }],
])('HTTP %i with %j is understood as %j', async (code, body, expected) => {
  answer = { status: code, body };
  expect(await status()).toMatchObject(expected);
});

test('a redirect is not followed, because it would carry the token away', async () => {
  const before = asked.length;
  answer = { status: 302, body: '', headers: { location: '/api/merchant/elsewhere' } };
  expect((await status()).kind).toBe('unknown');
  expect(asked.length).toBe(before + 1);
});

test('every exchange is recorded: the request and the answer, never a token, a key, a saved card or a file', async () => {
  const secrets = {
    walletData: { cardToken: 'card-secret' },
    wallet: [{ cardToken: 'card-secret' }],
    file: 'JVBERi0',
    key: 'LS0t',
  };
  answer = { status: 200, body: { invoiceId: 'abc', status: 'success', ...secrets } };
  await status();
  const record = exchanges.at(-1);
  expect(record).toMatchObject({
    call: 'GET /invoice/status',
    invoice: 'abc',
    request: { invoiceId: 'abc' },
    httpStatus: 200,
    answer: { status: 'success' },
    failure: null,
  });
  expect(asked.at(-1)?.['x-token']).toBe('the-merchants-secret');
  expect(JSON.stringify(exchanges)).not.toMatch(/the-merchants-secret|card-secret|JVBERi0|LS0t/);
});

test('characters that cannot be stored are replaced in an answer, and the rest of it counts', async () => {
  answer = { status: 200, body: '{"status":"a\\u0000b\\ud800c","note":"\u0000"}' };
  expect(await status()).toEqual({ kind: 'done', value: { status: 'a\ufffdb\ufffdc' } });
  answer = { status: 502, body: 'not\u0000json' };
  await status();
  expect(exchanges.at(-1)?.answer).toEqual({ text: 'not\ufffdjson' });
});
