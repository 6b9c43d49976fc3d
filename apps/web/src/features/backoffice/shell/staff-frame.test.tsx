import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { isCurrent } from '../entries.ts';
import { StaffFrame } from './staff-frame.tsx';
import { StaffPage } from './staff-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

async function openFrame({ isWide }: { isWide: boolean }) {
  serve({ 'GET /api/admin/today?tz=Europe%2FKyiv': new RefusedAnswer(403) });
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} }));
  const page = (path: string, title: string) => ({ path, element: <StaffPage title={title}>{null}</StaffPage> });
  const children = [page('/admin', 'Сьогодні'), page('/admin/operations', 'Операції'), page('/account', 'Акаунт')];
  const queryClient = cacheWith({ user: aUser({ role: 'SuperAdmin', name: 'Ірина Ткаченко' }) });
  return renderRoutes([{ Component: StaffFrame, children }], queryClient, '/admin');
}

const navigation = () => screen.getByRole('navigation', { name: 'Розділи' });
afterEach(() => vi.unstubAllGlobals());

describe('the frame of the staff pages', () => {
  it('has a sidebar on a desktop, with the user and the role', async () => {
    await openFrame({ isWide: true });
    const sidebar = screen.getByRole('complementary');
    expect(within(sidebar).getByRole('link', { current: 'page' }).textContent).toBe('Огляд');
    const account = within(sidebar).getByRole('link', { name: /Ірина Ткаченко/ });
    expect([account.getAttribute('href'), account.textContent]).toEqual([
      '/account',
      'Ірина ТкаченкоSuperAdminМій акаунт',
    ]);
  });

  it('has a bar on a phone, with the other pages in a sheet that closes after a navigation', async () => {
    const { router } = await openFrame({ isWide: false });
    expect(screen.queryByRole('complementary')).toBeNull();
    fireEvent.click(within(navigation()).getByRole('button', { name: 'Ще' }));
    const sheet = await screen.findByRole('dialog', { name: 'Ще' });
    fireEvent.click(within(sheet).getByRole('link', { name: 'Мій акаунт' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/account'));
    await waitFor(() => expect(sheet.isConnected).toBe(false));
  });

  it('stays mounted between its pages', async () => {
    const { router } = await openFrame({ isWide: true });
    const before = navigation();
    await router.navigate('/admin/operations');
    await screen.findByRole('heading', { name: 'Операції' });
    expect(navigation()).toBe(before);
  });

  it('names the tab after the page', async () => {
    await openFrame({ isWide: true });
    await waitFor(() => expect(document.title).toBe('Сьогодні · Volta'));
  });

  it('marks the list of the item that is open', () => {
    expect(isCurrent({ to: '/admin/users' }, '/admin/users/7')).toBe(true);
    expect(isCurrent({ to: '/admin' }, '/admin/users')).toBe(false);
    expect(isCurrent({ to: '/admin/anomalies', also: ['/admin/counters'] }, '/admin/counters')).toBe(true);
    expect(isCurrent({ to: '/admin/users' }, '/admin/users-of-day')).toBe(false);
  });
});
