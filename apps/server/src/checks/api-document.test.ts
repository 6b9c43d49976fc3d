import { readFileSync } from 'node:fs';
import { webhookKinds } from '@fpay/contract/admin/integrations/webhooks';
import { endpoints } from '@fpay/contract/endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { apiPage } from '../testing/api-page.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const production = {
  DATABASE_URL: 'postgres://db.internal/fpay',
  PUBLIC_URL: 'https://fpay.example',
  SECRET: '8f2b6c1e9d4a7035f6e8b9c2d1a03e5f7c4b6a8d9e0f1a2b3c4d5e6f70819203',
  BANK_URL: 'https://api.bank.example',
  BANK_TOKEN: 'a-real-token',
  SMS_URL: 'https://api.sms.example',
  SMS_TOKEN: 'another-real-token',
  SELLER_NAME: 'Network',
  SELLER_EDRPOU: '43210987',
};
interface Schema {
  properties?: Record<string, Schema>;
}
interface OpenApiWebhooks {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }>;
}
const paths = ['/api/docs/', '/api/docs/json', '/api/openapi.json'];

let staffOnly: TestServer;
let off: TestServer;
let open: TestServer;
beforeAll(async () => {
  staffOnly = await startTestServer({ env: { API_DOCS: 'staff' } });
  off = await startTestServer({ env: { API_DOCS: 'off' }, database: staffOnly.database });
  open = await startTestServer({ database: staffOnly.database });
});
afterAll(async () => {
  await open.close();
  await off.close();
  await staffOnly.close();
});

test('docs/api.md is made from the contract and has every call once', () => {
  const written = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
  expect(written, 'run npm run api').toBe(apiPage());
  for (const { method, path } of endpoints) expect(written.split(`\`${method} ${path}\``)).toHaveLength(2);
});

test('production shows the API document to staff by default, the demo to everyone', () => {
  const command = { mode: 'production', roles: ['api'] } as const;
  expect(readConfig(production, command).apiDocs).toBe('staff');
  expect(readConfig({ ...production, API_DOCS: 'off' }, command).apiDocs).toBe('off');
  expect(open.config.apiDocs).toBe('open');
});

test.each(paths)('%s is for staff who may see the back office, where it is not public', async (path) => {
  expect((await staffOnly.client().get(path)).status).toBe(401);
  expect((await (await staffOnly.signedIn('User')).client.get(path)).status).toBe(403);
  expect((await (await staffOnly.signedIn('Support')).client.get(path)).status).toBe(200);
  expect((await open.client().get(path)).status).toBe(200);
  expect((await (await off.signedIn('SuperAdmin')).client.get(path)).status).toBe(404);
});

test('the API document has the body of every webhook', async () => {
  const { webhooks } = (await open.client().get('/api/openapi.json')).body as OpenApiWebhooks;
  expect(Object.keys(webhooks).toSorted()).toEqual(['test', ...webhookKinds].toSorted());
  const schemaOf = (kind: string) => webhooks[kind]?.post.requestBody.content['application/json'].schema.properties;
  expect(Object.keys(schemaOf('operation.settled') ?? {})).toEqual(['id', 'type', 'created_at', 'data']);
  expect(Object.keys(schemaOf('operation.refunded')?.data?.properties ?? {})).toEqual(['operation', 'refund']);
});

test('every answer lists the browser features that the page may use: camera and position, nothing else', async () => {
  for (const path of ['/', '/api/settings', '/api/nothing-here']) {
    const policy = (await open.client().get(path)).headers.get('permissions-policy') ?? '';
    const allowed = policy.split(', ').filter((rule) => !rule.endsWith('=()'));
    expect([path, ...allowed]).toEqual([path, 'camera=(self)', 'geolocation=(self)']);
    expect(policy.split(', ')).toEqual(expect.arrayContaining(['microphone=()', 'payment=()', 'usb=()']));
  }
});
