import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { serveWebApp } from './web-app.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((app) => app.close()))));

const page = (path: string, name: string, needsSignIn: boolean, firstPaint = {}) => ({
  path,
  needsSignIn,
  files: [`/assets/${name}.js`],
  words: { uk: [`/assets/${name}-uk.js`], pl: [`/assets/${name}-pl.js`] },
  firstPaint,
});

const stationPaint = { uk: '{{number}}, {{address}}', pl: 'PL {{number}}, {{address}}' };

/** A server with two calls behind the page: the current user, by cookie, and a station that only Olena may see, except F2, which everyone may. */
async function openSite() {
  const dist = mkdtempSync(join(tmpdir(), 'fpay-web-'));
  const html = `<html lang="uk"><head><title>FPay</title><!--boot--></head><div><!--first-paint-->wait<!--/first-paint--></div></html>`;
  writeFileSync(join(dist, 'index.html'), html);
  const pages = [
    {
      ...page('/station/:station', 'station', true, stationPaint),
      landing: { files: ['/assets/landing.js'], firstPaint: { uk: 'Landing {{number}}' } },
    },
    { ...page('/admin/operations', 'operations', true), files: ['/assets/operations.js', '/assets/frame.css'] },
    page('/auth', 'auth', false, { uk: 'Вітаємо у {{brand}}', pl: 'Witamy w {{brand}}' }),
  ];
  writeFileSync(join(dist, 'pages.json'), JSON.stringify(pages));
  writeFileSync(join(dist, 'manifest.webmanifest'), JSON.stringify({ name: 'FPay', display: 'standalone' }));
  writeFileSync(join(dist, 'sw.js'), '// worker');
  const app = fastify();
  opened.push(app);
  await app.register(cookie);
  let answerDelayMs = 0;
  app.get('/api/user', async (request, reply) => {
    await new Promise((resolve) => setTimeout(resolve, answerDelayMs));
    const { who } = request.cookies;
    return who ? { name: who } : reply.code(401).send({ message: 'Unauthenticated.' });
  });
  app.get('/api/station/:number', (request, reply) => {
    const { number } = request.params as { number: string };
    if (request.cookies.who !== 'Olena' && number !== 'F2') return reply.code(403).send({ message: 'Closed' });
    return { number, address: '<b>Main St</b>', address_uk: 'Головна' };
  });
  await serveWebApp(app, dist, { boot: { settings: { brand: 'Volta' } }, origin: 'https://volta.example' });
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const response = await app.inject({ url, headers });
    const boot = /id="boot">(.*?)<\/script>/.exec(response.body)?.[1];
    return { ...response, html: response.body, boot: boot && JSON.parse(boot), headers: response.headers };
  };
  return { get, slowDown: (ms: number) => (answerDelayMs = ms) };
}

test('a page has the settings and the answers for its visitor, and no cache may store it', async () => {
  const { get } = await openSite();
  const { boot, html, headers } = await get('/station/F1', { cookie: 'who=Olena' });
  expect(boot.settings).toEqual({ brand: 'Volta' });
  expect(boot.answers).toEqual({
    '/api/user': { status: 200, body: { name: 'Olena' } },
    '/api/station/F1': { status: 200, body: { number: 'F1', address: '<b>Main St</b>', address_uk: 'Головна' } },
  });
  expect(headers['cache-control']).toBe('no-store');
  expect(html).toContain('F1, Головна');
});

test('the scripts and the styles of a page are named in it, so that they are loaded in parallel', async () => {
  const { get } = await openSite();
  const { html } = await get('/admin/operations', { cookie: 'who=Olena' });
  expect(html).toContain('<link rel="modulepreload" crossorigin href="/assets/operations.js">');
  expect(html).toContain('<link rel="modulepreload" crossorigin href="/assets/operations-uk.js">');
  expect(html).toContain('<link rel="preload" as="style" crossorigin href="/assets/frame.css">');
});

test('a station that its visitor may not see is not in the page either', async () => {
  const { get } = await openSite();
  const { boot, html } = await get('/station/F1', { cookie: 'who=Petro' });
  expect(boot.answers['/api/station/F1']).toEqual({ status: 403, body: { message: 'Closed' } });
  expect(html).not.toContain('Головна');
  // No values are known at first, so the loading animation stays.
  expect(html).toContain('wait');
});

test('the values in a page are in its language, and can neither end a script nor start one', async () => {
  const { get } = await openSite();
  const { html } = await get('/station/F1', { cookie: 'who=Olena; fpay_language=pl' });
  expect(html).toContain('<html lang="pl">');
  expect(html).toContain('PL F1, &#60;b&#62;Main St&#60;/b&#62;');
  expect(html).not.toContain('<b>');
  expect(html).toContain('href="/assets/station-pl.js"');
});

test('a first visit gets the texts of the browser’s language, and Ukrainian ones when it is not ours', async () => {
  const { get } = await openSite();
  const page = async (accepted: string) =>
    (await get('/station/F1', { cookie: 'who=Olena', 'accept-language': accepted })).html;
  expect(await page('pl-PL,pl;q=0.9,en;q=0.8')).toContain('<html lang="pl">');
  expect(await page('xx-XX,xx;q=0.9,pl;q=0.8')).toContain('<html lang="uk">');
});

test('a visitor who has to sign in first gets the code and the texts of that page', async () => {
  const { get } = await openSite();
  const { html, boot, headers } = await get('/station/F1');
  expect(html).toContain('href="/assets/auth.js"');
  expect(html).not.toContain('/assets/station.js');
  expect(html).toContain('Вітаємо у Volta');
  expect(Object.keys(boot.answers)).toEqual(['/api/user']);
  expect(headers['cache-control']).toBe('no-cache');
  const again = await get('/station/F1', { 'if-none-match': String(headers.etag) });
  expect([again.statusCode, again.html]).toEqual([304, '']);
});

test('a visitor of a station that everyone may see gets it with the code of sign-in, and no cache may store it', async () => {
  const { get } = await openSite();
  const { html, boot, headers } = await get('/station/F2');
  expect(html).toContain('href="/assets/landing.js"');
  expect(html).not.toContain('/assets/auth.js');
  expect(html).toContain('href="/assets/auth-uk.js"');
  expect(html).toContain('Landing F2');
  expect(boot.answers['/api/station/F2'].status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
});

test('a shared link shows the network, and a station that everyone may see, in the language of its reader', async () => {
  const { get } = await openSite();
  const tag = (html: string, name: string) => new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1];
  const station = await get('/station/F2', { 'accept-language': 'pl' });
  expect(station.html).toContain('<title>F2 · Volta</title>');
  expect(tag(station.html, 'og:title')).toBe('F2 · Volta');
  expect(tag(station.html, 'og:description')).toMatch(/^&#60;b&#62;Main St&#60;\/b&#62;\. Naładuj/);
  expect(tag(station.html, 'og:url')).toBe('https://volta.example/station/F2');
  expect(tag(station.html, 'og:locale')).toBe('pl_PL');
  expect(tag(station.html, 'og:image')).toBe('https://volta.example/preview.png');
  const closed = await get('/station/F1');
  expect(closed.html).toContain('<title>Volta</title>');
  expect(closed.html).not.toContain('Головна');
  expect(tag(closed.html, 'og:description')).toMatch(/^Зарядіть електромобіль/);
});

test('when the server is slow to answer, it sends the page without the answers', async () => {
  const { get, slowDown } = await openSite();
  slowDown(2000);
  const { boot } = await get('/station/F1', { cookie: 'who=Olena' });
  expect(boot.answers).toEqual({});
});

test('the shell that devices store has no user data, and the manifest has the network’s name', async () => {
  const { get } = await openSite();
  const shell = await get('/index.html', { cookie: 'who=Olena' });
  expect(shell.boot).toEqual({ settings: { brand: 'Volta' }, answers: {} });
  expect(JSON.parse((await get('/manifest.webmanifest')).html)).toEqual({
    name: 'Volta',
    short_name: 'Volta',
    display: 'standalone',
  });
  expect((await get('/sw.js')).headers['cache-control']).toBe('no-cache');
  expect((await get('/pages.json', { cookie: 'who=Olena' })).html).toContain('id="boot"');
});
