import { type Endpoint, isMutating } from '@fpay/contract/endpoint';
import { endpoints } from '@fpay/contract/endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  // Every call uses its own address, because the limit for one address is below the number of calls.
  server = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1' } });
  ({ client } = await server.signedIn('SuperAdmin'));
});
afterAll(() => server.close());

const nul = 'a\u0000b';
const loneSurrogate = 'a\ud800b';

function fieldsOf(schema: z.core.$ZodType | undefined): string[] {
  const { shape } = (schema?._zod.def ?? {}) as { shape?: object };
  return Object.keys(shape ?? {});
}

/** An address of this endpoint in which every parameter has this text, already encoded. */
const addressOf = ({ path }: Endpoint, encoded: string) => path.replace(/:\w+/g, encoded);
/** An address whose parameters are valid, so that the query or the body is what is refused. */
const words: Record<string, string> = { kind: 'lost', subject: 'user', number: 'F1400' };
const validAddressOf = ({ path }: Endpoint) => path.replace(/:(\w+)/g, (_, name: string) => words[name] ?? '1');
let calls = 0;

function send(endpoint: Endpoint, url: string, body: object = {}) {
  calls += 1;
  const headers = { 'x-forwarded-for': `10.0.${Math.floor(calls / 250)}.${1 + (calls % 250)}` };
  return isMutating(endpoint.method)
    ? client.mutate(endpoint.method, url, body, { headers })
    : client.get(url, headers);
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

// Sign-in and sign-out would change the caller; they have a body without parameters and are tried last.
const lastPaths = ['/api/logout', '/api/login', '/api/guest'];
const ordered = endpoints.toSorted((a, b) => Number(lastPaths.includes(a.path)) - Number(lastPaths.includes(b.path)));

test('NUL in a path is 404 for every endpoint with parameters', async () => {
  const withParams = ordered.filter(({ path }) => path.includes(':'));
  expect(withParams.length).toBeGreaterThan(15);
  for (const endpoint of withParams) {
    const { status } = await send(endpoint, addressOf(endpoint, 'a%00b'));
    expect([nameOf(endpoint), status]).toEqual([nameOf(endpoint), 404]);
    const broken = await send(endpoint, addressOf(endpoint, '%ED%A0%80'));
    expect([nameOf(endpoint), broken.status >= 400 && broken.status < 500]).toEqual([nameOf(endpoint), true]);
  }
});

test('NUL in a query is 422 and names the field, for every endpoint with a query', async () => {
  const withQuery = ordered.filter(({ query }) => fieldsOf(query).length > 0);
  expect(withQuery.length).toBeGreaterThan(0);
  for (const endpoint of withQuery) {
    for (const field of fieldsOf(endpoint.query)) {
      const { status, body } = await send(endpoint, `${validAddressOf(endpoint)}?${field}=a%00b`);
      expect([nameOf(endpoint), status, Object.keys(body.errors ?? {}).includes(field)]).toEqual([
        nameOf(endpoint),
        422,
        true,
      ]);
    }
  }
});

test.each([
  ['NUL', nul],
  ['half of a surrogate pair', loneSurrogate],
])(
  '%s in a body is 422 and names each field, nested ones too, for every endpoint with a body',
  async (_, hostile) => {
    const withBody = ordered.filter(({ body }) => fieldsOf(body).length > 0);
    expect(withBody.length).toBeGreaterThan(15);
    for (const endpoint of withBody) {
      for (const field of fieldsOf(endpoint.body)) {
        for (const [value, path] of [
          [hostile, field],
          [[{ inner: hostile }], `${field}.0.inner`],
        ] as const) {
          const { status, body } = await send(endpoint, validAddressOf(endpoint), { [field]: value });
          const isNamed = Object.keys(body.errors ?? {}).includes(path);
          expect([nameOf(endpoint), path, status, isNamed]).toEqual([nameOf(endpoint), path, 422, true]);
        }
      }
    }
  },
  60_000,
);

test('JSON that is nested too deeply is 400, also when its signature is wrong', async () => {
  await client.get('/sanctum/csrf-cookie');
  const token = client.jar.get('XSRF-TOKEN') ?? '';
  const depth = 30_000;
  const deep = `{"a":${'['.repeat(depth)}${']'.repeat(depth)},"signature":"v1.1.aaaaaaaa.${'A'.repeat(43)}"}`;
  const answer = await client.send('POST', '/api/users/uc', deep, { 'x-xsrf-token': token });
  expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
});
