import { readFileSync } from 'node:fs';
import { addApiKey, apiScopes } from '@fpay/contract/admin/integrations/api-keys';
import { addOcpiPartner } from '@fpay/contract/admin/integrations/ocpi';
import { webhookKinds } from '@fpay/contract/admin/integrations/webhooks';
import { scopeCalls } from '@fpay/contract/api-scopes';
import { webhookBody } from '@fpay/contract/webhook-events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { webhookSignature } from './webhooks/signature.ts';

const text = readFileSync(new URL('../../../../docs/integrations.md', import.meta.url), 'utf8');
const blocksOf = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, block = '']) => block);
const commands = blocksOf('sh')
  .flatMap((block) => block.split('\n'))
  .filter((line) => line !== '');

let server: TestServer;
const variables: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer();
  const { client } = await server.signedIn('Admin');
  const body = { name: 'Docs', scopes: [...apiScopes], calls_per_minute: 100, expires_at: null };
  const { key } = (await client.call(addApiKey, { body })).body;
  const partner = { name: 'Docs', country_code: 'PL', party_id: 'DOC', has_registration: false };
  const { token } = (await client.call(addOcpiPartner, { body: partner })).body;
  Object.assign(variables, { FPAY: server.url, KEY: key, OCPI_TOKEN_BASE64: Buffer.from(token).toString('base64') });
});
afterAll(() => server.close());

test('the document has commands', () => {
  expect(commands.length).toBeGreaterThan(5);
});

test.each(commands)('%s is answered with 200', async (command) => {
  const filled = command.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? `unknown ${name}`);
  const headers = [...filled.matchAll(/-H "([^:"]+): ([^"]+)"/g)].map(([, name = '', value = '']) => [name, value]);
  const body = /-d '([^']*)'/.exec(filled)?.[1];
  const url = /"(http[^"]+)"$/.exec(filled)?.[1];
  expect(url, filled).toBeDefined();
  const response = await fetch(url ?? '', {
    headers: headers as [string, string][],
    ...(body !== undefined && { method: 'POST', body }),
  });
  expect([response.status, response.status === 200 ? '' : await response.text()]).toEqual([200, '']);
});

test('the example of the signature accepts what we send and nothing else', async () => {
  const [source = ''] = blocksOf('js');
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const at = new Date();
  const header = webhookSignature('secret', '{"id":1}', at);
  expect(isGenuine('secret', header, '{"id":1}')).toBe(true);
  expect(isGenuine('secret', header, '{"id":2}')).toBe(false);
  expect(isGenuine('other', header, '{"id":1}')).toBe(false);
  expect(isGenuine('secret', header, '{"id":1}', at.getTime() + 301_000)).toBe(false);
  expect(isGenuine('secret', 'v1=1', '{"id":1}')).toBe(false);
});

test('the example of an event is as the contract says', () => {
  const examples = blocksOf('json').map((block) => JSON.parse(block));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect(z.parse(webhookBody(example.type), example)).toEqual(example);
});

test('every scope and every kind of event is in the document', () => {
  for (const name of [...apiScopes, ...webhookKinds]) expect(text).toContain(`| \`${name}\` |`);
  for (const { path } of Object.values(scopeCalls).flat()) {
    const [, last = ''] = /\/([^/]+)$/.exec(path) ?? [];
    expect(text.includes(path) || text.includes(`…/${last}`) || path.includes('/integrations/'), path).toBe(true);
  }
});
