import type { AdminUserItem } from '@fpay/contract/admin/users';
import { kopecks } from '@fpay/contract/money';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { shortId } from './user-text.ts';
import { Page } from './users-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

const anItem = (id: number, rest: Partial<AdminUserItem> = {}): AdminUserItem => ({
  id,
  name: 'Олена Коваль',
  phone_number: '+380671234567',
  role: 'User',
  is_temporary: false,
  last_login: '2025-11-15T12:31:00Z',
  created_at: '2026-01-01T00:00:00Z',
  wallet: { id, balance: kopecks(1284_50), is_shared: false, is_owner: true },
  last_charging_operation: {
    id: 480215,
    status: 'ongoing',
    created_at: '2025-11-15T12:32:00Z',
    station_number: 'F1400',
  },
  notes: 0,
  ...rest,
});

const usersCall = 'POST /api/admin/users';

async function openUsers(rows: unknown, { path = '/admin/users', isWide = true } = {}) {
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} }));
  const server = serve({ [usersCall]: rows });
  const routes = [
    { path: '/admin/users', element: <Page /> },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const drawn = await renderRoutes(routes, cacheWith({ user: aUser({ role: 'Support' }) }), path);
  await act(async () => undefined);
  const address = () => `${drawn.router.state.location.pathname}${drawn.router.state.location.search}`;
  return { server, address, lastBody: () => server.sent.findLast(({ call }) => call === usersCall)?.body };
}

const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ');
const rows = () => Array.from(document.querySelectorAll('tbody tr'), (row) => Array.from(row.children, shown));
afterEach(() => vi.unstubAllGlobals());

describe('the list of users', () => {
  it('loads 50 by default, and another number on request [ADM-USR-01]', async () => {
    const { lastBody, address } = await openUsers([anItem(7)]);
    await waitFor(() => expect(lastBody()).toMatchObject({ count: 50, with_temp: false }));
    fireEvent.change(screen.getByLabelText('Скільки показати'), { target: { value: '200' } });
    fireEvent.blur(screen.getByLabelText('Скільки показати'));
    await waitFor(() => expect(address()).toBe('/admin/users?count=200'));
    await waitFor(() => expect(lastBody()).toMatchObject({ count: 200 }));
  });

  it('includes or excludes temporary users [ADM-USR-02]', async () => {
    const { lastBody, address } = await openUsers([anItem(7)]);
    fireEvent.click(screen.getByLabelText('Тимчасові'));
    await waitFor(() => expect(address()).toBe('/admin/users?temporary=true'));
    await waitFor(() => expect(lastBody()).toMatchObject({ with_temp: true }));
  });

  it('is narrowed to one role, in the address too', async () => {
    const { lastBody, address } = await openUsers([anItem(7)]);
    fireEvent.change(screen.getByLabelText('Роль'), { target: { value: 'Banned' } });
    await waitFor(() => expect(address()).toBe('/admin/users?role=Banned'));
    await waitFor(() => expect(lastBody()).toMatchObject({ role: 'Banned' }));
  });

  it.each([
    ['+38 (067) 123-45-67', '/admin/users/+380671234567'],
    ['20418', '/admin/users/20418'],
  ])('opens a user by phone or id: %s [ADM-USR-03]', async (typed, target) => {
    const { address } = await openUsers([]);
    const open = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Відкрити' });
    expect(open().disabled).toBe(true);
    fireEvent.change(screen.getByLabelText('Телефон або ID'), { target: { value: typed } });
    fireEvent.click(open());
    await waitFor(() => expect(address()).toBe(target));
  });

  it('has id, name, phone, role, last login, wallet and last operation in each row [ADM-USR-04]', async () => {
    await openUsers([anItem(20_418)]);
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(rows()).toEqual([
      ['', '20418', 'Олена Коваль', '+380671234567', 'User', '15.11.2025, 14:31', '1 284,50 ₴', '480215ONF1400'],
    ]);
    expect(screen.getByRole('link', { name: 'Олена Коваль' }).getAttribute('href')).toBe('/admin/users/20418');
    expect(screen.getByRole('link', { name: '480215' }).getAttribute('href')).toBe('/admin/operations/480215');
  });

  it('shortens an id over 99999 to its last four digits with a prefix [ADM-USR-05]', () => {
    expect([shortId(99_999), shortId(100_000), shortId(1_402_201)]).toEqual(['99999', '…0000', '…2201']);
  });

  it('skips an entry without an id [VAL-32]', async () => {
    await openUsers([{ ...anItem(7), id: undefined, name: 'Без номера' }, anItem(20_418)]);
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(screen.queryByText('Без номера')).toBeNull();
  });

  it('marks a missing name and number [VAL-33]', async () => {
    await openUsers([anItem(7, { name: null, phone_number: null, last_charging_operation: null })]);
    expect(await screen.findByText('MISSING NAME')).toBeTruthy();
    expect(screen.getByText('MISSING NUMBER')).toBeTruthy();
  });

  it('has cards on a phone', async () => {
    await openUsers([anItem(7)], { isWide: false });
    expect(shown(await screen.findByRole('listitem'))).toBe(
      'Олена КовальUser1 284,50 ₴7+38067123456715.11.2025, 14:31480215ONF1400',
    );
  });

  it('says when there is none, and offers a retry when it cannot be loaded', async () => {
    const { server } = await openUsers(new RefusedAnswer(500));
    server.answers[usersCall] = [];
    fireEvent.click(await screen.findByRole('button', { name: 'Спробувати ще раз' }));
    expect(await screen.findByText('Користувачів не знайдено')).toBeTruthy();
  });
});
