import { describe, expect, it, vi } from 'vitest';
import { notificationOf, openPage, pagePathOf } from './push.ts';

const origin = 'https://fpay.test';

describe('a push message', () => {
  it('is shown with its text, tag and page', () => {
    const notification = {
      title: 'Зарядку завершено',
      body: 'F1001',
      lang: 'uk',
      tag: 'operation-7',
      navigate: `${origin}/status/7`,
    };
    expect(notificationOf(JSON.stringify({ web_push: 8030, notification }), origin)).toMatchObject({
      title: 'Зарядку завершено',
      options: { body: 'F1001', tag: 'operation-7', lang: 'uk', data: { path: '/status/7' } },
    });
  });

  it.each([null, '', 'not json', '{}', '{"notification":{"title":5}}'])(
    'that cannot be read (%s) is shown too',
    (text) => {
      expect(notificationOf(text, origin)).toMatchObject({
        title: new URL(origin).hostname,
        options: { data: { path: '/' } },
      });
    },
  );
});

it.each([
  [`${origin}/status/7?x=1`, '/status/7?x=1'],
  ['/map', '/map'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  [undefined, '/'],
])('a tap on a notification for %s opens %s', (navigate, path) => {
  expect(pagePathOf(navigate, origin)).toBe(path);
});

describe('a tap', () => {
  const client = (path: string) => ({
    url: origin + path,
    focus: vi.fn(async () => undefined),
    navigate: vi.fn(async (_path: string) => undefined as unknown),
  });

  it('focuses the page that is open already', async () => {
    const [map, status] = [client('/map'), client('/status/7')];
    const openWindow = vi.fn();
    await openPage({ matchAll: async () => [map, status], openWindow }, '/status/7');
    expect([status.focus, status.navigate, map.focus, openWindow].map(({ mock }) => mock.calls.length)).toEqual([
      1, 0, 0, 0,
    ]);
  });

  it('leads another open page there, or opens a window', async () => {
    const map = client('/map');
    const openWindow = vi.fn(async () => undefined);
    await openPage({ matchAll: async () => [map], openWindow }, '/status/7');
    expect(map.navigate).toHaveBeenCalledWith('/status/7');
    map.navigate.mockRejectedValueOnce(new TypeError('not controlled'));
    await openPage({ matchAll: async () => [map], openWindow }, '/status/7');
    await openPage({ matchAll: async () => [], openWindow }, '/status/7');
    expect(openWindow.mock.calls).toEqual([['/status/7'], ['/status/7']]);
  });
});
