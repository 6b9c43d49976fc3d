import { search } from '@fpay/contract/admin/search';
import { mostOfReport, readPageError, reportPageError } from '@fpay/contract/page-errors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { createTimeline } from '../testing/timeline.ts';
import { withoutSecrets } from './without-secrets.ts';

const timeline = createTimeline();
let server: TestServer;
let staff: Awaited<ReturnType<TestServer['signedIn']>>;
beforeAll(async () => {
  server = await startTestServer({ clock: timeline.server });
  staff = await server.signedIn('Support');
});
afterAll(() => server.close());

const report = (code: string, rest: object = {}) => ({
  code,
  path: '/status/480215',
  message: 'Cannot read properties of undefined',
  stack: 'TypeError: x\n    at Page (https://fpay.example/assets/status-x1.js:1:200)',
  version: '2.9.8',
  ...rest,
});
const rows = () => server.db.selectFrom('page_errors').selectAll().orderBy('code').execute();

test('staff find a reported error by the code that its user read out, with the page and the user', async () => {
  const driver = await server.signedIn('User');
  await driver.client.call(reportPageError, { body: report('ABCD2345') });
  for (const q of ['ABCD2345', 'abcd-2345', 'abcd 2345']) {
    expect((await staff.client.call(search, { query: { q } })).body).toEqual([
      expect.objectContaining({ kind: 'page_error', title: 'ABCD2345', detail: expect.stringContaining('/status/') }),
    ]);
  }
  const found = await staff.client.call(readPageError, { params: { code: 'ABCD2345' } });
  expect(found.body).toMatchObject({ code: 'ABCD2345', user: { id: driver.id }, path: '/status/480215' });
  expect((await staff.client.call(readPageError, { params: { code: 'ABCD2346' } })).status).toBe(404);
});

test('a visitor reports too, and a repeated report is stored once', async () => {
  // The first report is a month old from here on.
  timeline.ahead({ days: 31 });
  const visitor = server.client();
  await visitor.call(reportPageError, { body: report('VSTR2222') });
  await visitor.call(reportPageError, { body: report('VSTR2222', { message: 'another' }) });
  expect((await rows()).filter(({ code }) => code === 'VSTR2222')).toMatchObject([
    { user_id: null, message: 'Cannot read properties of undefined' },
  ]);
});

test('secrets never reach the table', async () => {
  const { client } = await server.signedIn('User');
  await client.call(reportPageError, {
    body: report('SECRET22', {
      path: '/return?token=abcdef',
      message: 'No answer for +38 (050) 000-00-01',
      stack: 'at https://x.example/?code=123456 4444030000001902 eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxMjM0',
    }),
  });
  const stored = JSON.stringify((await rows()).filter(({ code }) => code === 'SECRET22'));
  for (const secret of ['abcdef', '000-00-01', '123456', '44440300', 'eyJhbGci']) expect(stored).not.toContain(secret);
});

test('a report that is too long or has a wrong code is refused', async () => {
  const { client } = await server.signedIn('User');
  for (const wrong of [{ code: 'short' }, { code: 'ABCD234O' }, { stack: 'x'.repeat(mostOfReport.stack + 1) }]) {
    expect((await client.call(reportPageError, { body: report('KNGR2222', wrong) })).status).toBe(422);
  }
});

test('a page that fails in a loop is limited by its address', async () => {
  const { client } = await server.signedIn('User');
  const statuses: number[] = [];
  for (let index = 2; index < 10; index += 1) {
    for (const letter of ['A', 'B']) {
      const { status } = await client.call(reportPageError, { body: report(`KP${letter}AAAA${index}`) });
      statuses.push(status);
    }
  }
  expect(statuses.at(-1)).toBe(429);
  expect((await rows()).length).toBeLessThanOrEqual(10);
});

test('a report is deleted after a month', async () => {
  await server.features.pageErrors.sweep.run();
  const codes = (await rows()).map(({ code }) => code);
  expect(codes).not.toContain('ABCD2345');
  expect(codes).toContain('VSTR2222');
});

test.each([
  [
    'at load (https://fpay.example/assets/map-BQx1.js?v=2:1:30)',
    'at load (https://fpay.example/assets/map-BQx1.js:1:30)',
  ],
  ['call +380 50 000 00 01 now', 'call … now'],
  ['operation 480215 of F1400', 'operation 480215 of F1400'],
  ['mail olena.koval@example.com', 'mail …'],
  ['at renderWithHooksAndContextProvider', 'at renderWithHooksAndContextProvider'],
])('what is kept of a text: %s', (text, kept) => {
  expect(withoutSecrets(text)).toBe(kept);
});
