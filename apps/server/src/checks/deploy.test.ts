import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endpoints } from '@fpay/contract/endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

/** The files for operators name metrics, settings and sections of the documents; each must exist. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

let server: TestServer;
let reported: Set<string>;
beforeAll(async () => {
  server = await startTestServer();
  const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  reported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
});
afterAll(() => server.close());

test.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/fpay.json'])(
  '%s uses only metrics that a node reports',
  (file) => {
    const used = new Set([...read(file).matchAll(/\b(?:fpay|nodejs)_[a-z0-9_]+/g)].map(([name]) => name));
    const plain = [...used].map((name) => name.replace(/_(count|bucket|sum)$/, ''));
    expect(plain.length).toBeGreaterThan(8);
    expect(plain.filter((name) => !reported.has(name))).toEqual([]);
  },
);

test('every alert names a section of the operations page', () => {
  const sections = new Set([...read('docs/operations.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) => title));
  const named = [...read('deploy/prometheus/alerts.yml').matchAll(/docs\/operations\.md, (.+)'/g)].map(
    ([, title = '']) => title,
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((title) => !sections.has(title))).toEqual([]);
});

test('the example settings are enough for production once they are filled in', () => {
  const lines = read('deploy/env.example').matchAll(/^([A-Z_]+)=(.*)$/gm);
  const filled: Record<string, string> = {};
  for (const [, name = '', value = ''] of lines) filled[name] = value || examples[name] || 'filled-in';
  const env = {
    ...filled,
    DATABASE_URL: 'postgres://fpay_app:secret@127.0.0.1/fpay',
    PUBLIC_URL: `https://${filled.DOMAIN}`,
  };
  const config = readConfig(env, { mode: 'production', roles: ['api', 'gateway', 'worker'] });
  expect(config.publicUrl.host).toBe('charge.example.com');
  expect(config.bank.account.baseUrl).toBe('https://api.monobank.ua');
});

const examples: Record<string, string> = {
  SECRET: '0f1e2d3c4b5a69788796a5b4c3d2e1f00123456789abcdef0123456789abcdef',
  SELLER_EDRPOU: '12345678',
};

test('the compose file and the image set only settings that the server knows', () => {
  const compose = /environment: &environment\n((?: {4}.*\n)+)/.exec(read('deploy/compose.yaml'))?.[1] ?? '';
  const image = /^ENV [\s\S]*?[^\\]\n/m.exec(read('Dockerfile'))?.[0] ?? '';
  const set = [
    ...[...compose.matchAll(/^ +([A-Z_]+): /gm)].map(([, name = '']) => name),
    ...[...image.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name).filter((name) => name !== 'NODE_ENV'),
  ];
  expect(set.length).toBeGreaterThan(5);
  expect(set.filter((name) => !Object.hasOwn(settings, name))).toEqual([]);
});

const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find((path) => existsSync(path));

test.skipIf(promtool === undefined)('promtool accepts the alert rules, and they fire as they should', async () => {
  const run = (...words: string[]) => promisify(execFile)(promtool ?? '', words, { cwd: `${root}deploy/prometheus` });
  expect((await run('check', 'rules', 'alerts.yml')).stdout).toContain('SUCCESS: 14 rules found');
  expect((await run('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS');
});

test('the proxies let the files of staff pass, and the compose file lets nothing else of that size pass', () => {
  const files = endpoints.filter(({ mostBodyBytes }) => mostBodyBytes !== null);
  const most = Math.max(...files.map(({ mostBodyBytes }) => mostBodyBytes ?? 0));
  const [, matched = '', limit] =
    /@file path (.+)\n\trequest_body @file \{\n\t\tmax_size (\d+)MB/.exec(read('deploy/Caddyfile')) ?? [];
  expect(Number(limit) * 1_000_000).toBeGreaterThanOrEqual(most);
  expect(matched.split(' ').sort()).toEqual([...new Set(files.map(({ path }) => path.replace(/:\w+/g, '*')))].sort());
  expect(read('deploy/Caddyfile')).toContain(`@other not path ${matched}\n`);
  const [, chart] = /proxy-body-size: (\d+)m/.exec(read('deploy/helm/fpay/templates/service.yaml')) ?? [];
  expect(Number(chart) * 1024 * 1024).toBeGreaterThanOrEqual(most);
});
