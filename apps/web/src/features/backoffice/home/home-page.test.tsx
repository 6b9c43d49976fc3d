import type { Today } from '@fpay/contract/admin/stats';
import type { Role } from '@fpay/contract/roles';
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createAppRoutes } from '../../../app/routes/routes.tsx';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { relativeChange } from '../parts/change.ts';

vi.setConfig({ testTimeout: 30_000 });

const todayCall = 'GET /api/admin/today?tz=Europe%2FKyiv';
const aToday = (rest: Partial<Today> = {}): Today => ({
  at: '2026-11-15T12:35:00Z',
  energy: { now: 3218, week_ago: 2979.6 },
  money: { now: 46_310_00, week_ago: 50_000_00 },
  net: { now: 45_210_00, week_ago: 50_000_00 },
  success: { now: 94.2, week_ago: 95.3 },
  running: { now: 37, week_ago: null },
  attention: { anomalies: 3, counters: 0, terminator: 1, money: 9, approvals: null, cases: 0, offline_stations: 6 },
  ...rest,
});

async function openHome(role: Role, today: unknown = aToday()) {
  serve({ [todayCall]: today });
  const queryClient = cacheWith({ user: aUser({ role, name: 'Ірина Ткаченко' }) });
  return renderRoutes(createAppRoutes(queryClient), queryClient, '/admin');
}

const shown = (element: Element | null | undefined) => element?.textContent?.replaceAll('\u00a0', ' ');
const link = (name: string | RegExp) => screen.queryByRole('link', { name })?.getAttribute('href') ?? null;

describe('the home of the back office', () => {
  it.each([
    ['SuperAdmin', ['operations', 'users', 'stats', 'feedback']],
    ['Admin', ['operations', 'users', 'stats', 'feedback']],
    ['Operator', ['operations', 'users', 'feedback']],
    ['Support', ['operations', 'users', 'feedback']],
    ['Analytic', ['operations', 'users', 'stats', 'feedback']],
  ] as const)(
    'has buttons to the lists that %s may open, and back to the account [ADM-HOME-01]',
    async (role, pages) => {
      await openHome(role);
      const names = { operations: 'Операції', users: 'Користувачі', stats: 'Статистика', feedback: 'Відгуки' } as const;
      const lists = within(screen.getByRole('navigation', { name: 'Списки' })).getAllByRole('link');
      expect(lists.map((one) => [one.textContent, one.getAttribute('href')])).toEqual(
        pages.map((page) => [names[page], `/admin/${page}`]),
      );
      expect(link('Назад')).toBe('/account');
    },
  );

  it('hides anomalies, terminator and counters in a block that opens [ADM-HOME-02]', async () => {
    await openHome('Support');
    const block = screen.getByText('Стан системи').closest('details');
    expect(block?.open).toBe(false);
    expect(Array.from(block?.querySelectorAll('a') ?? [], (one) => one.getAttribute('href'))).toEqual([
      '/admin/anomalies',
      '/admin/terminator',
      '/admin/counters',
    ]);
  });

  it.each([
    ['SuperAdmin', '/admin/shutdown'],
    ['Admin', null],
    ['Analytic', null],
  ] as const)('shows SHUTDOWN to %s only if it is the super role [ADM-HOME-03]', async (role, target) => {
    await openHome(role);
    expect(link('SHUTDOWN')).toBe(target);
  });

  it('shows figures of today against the same weekday, each a link to its list', async () => {
    await openHome('SuperAdmin');
    const energy = await screen.findByRole('link', { name: /Енергія/ });
    expect([shown(energy), energy.getAttribute('href')]).toEqual([
      'Енергія3 218 кВт·год+8 %за тиждень',
      '/admin/stats?period=today',
    ]);
    expect(shown(screen.getByRole('link', { name: /Виручка/ }))).toBe('Виручка46 310 ₴чистими 45 210 ₴−7 %за тиждень');
    expect(shown(screen.getByRole('link', { name: /Успішні/ }))).toBe('Успішні старти94,2 %−1,1 в. п.за тиждень');
    expect(link(/Заряджають зараз/)).toBe('/admin/operations?status=open');
  });

  it('names the figure of a week ago when a per cent would say nothing [ADM-STAT-13]', async () => {
    await openHome('SuperAdmin', aToday({ energy: { now: 498.5, week_ago: 2 } }));
    expect(shown(await screen.findByRole('link', { name: /Енергія/ }))).toBe(
      'Енергія499 кВт·годтиждень тому було 2 кВт·год',
    );
  });

  it('leaves out figures that the role may not see', async () => {
    await openHome('Support', aToday({ energy: null, money: null, net: null, success: null }));
    await screen.findByRole('link', { name: /Заряджають зараз/ });
    expect([link(/Енергія/), link(/Виручка/), link(/Успішні/)]).toEqual([null, null, null]);
  });

  it('lists what needs attention, the most urgent first, and leaves out what does not', async () => {
    await openHome('SuperAdmin');
    const rows = within(await screen.findByRole('list', { name: 'Потребує уваги' })).getAllByRole('listitem');
    expect(rows.map(shown)).toEqual([
      '1 операцію зупиняє автоматика',
      '3 аномалії',
      '9 грошових справ чекає',
      '6 станцій без зв’язку',
    ]);
  });

  it('says that all is quiet when nothing waits', async () => {
    const none = { anomalies: 0, counters: 0, terminator: 0, money: 0, approvals: 0, cases: 0, offline_stations: 0 };
    await openHome('SuperAdmin', aToday({ attention: none }));
    expect(shown(await screen.findByRole('list', { name: 'Потребує уваги' }))).toBe('Усе спокійно14:35');
  });

  it('keeps its buttons and offers a retry when the figures cannot be loaded', async () => {
    await openHome('SuperAdmin', new RefusedAnswer(500));
    expect(await screen.findByRole('button', { name: 'Спробувати ще раз' })).toBeTruthy();
    expect(within(screen.getByRole('navigation', { name: 'Списки' })).getAllByRole('link')).toHaveLength(4);
  });

  it('compares only with a day that had something', () => {
    expect([relativeChange({ now: 5, week_ago: 0 }), relativeChange({ now: 5, week_ago: null })]).toEqual([null, null]);
    expect(relativeChange({ now: 5, week_ago: 4 })).toBe(25);
  });
});
