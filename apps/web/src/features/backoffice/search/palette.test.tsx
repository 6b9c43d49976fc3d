import type { Found } from '@fpay/contract/admin/search';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { useKeys } from '../parts/use-keys.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { pageOf, recentItems, rememberItem } from './recent.ts';
import { SearchHost } from './search-host.tsx';

vi.setConfig({ testTimeout: 30_000 });

const aFound = (rest: Partial<Found>): Found => ({
  kind: 'operation',
  id: 480215,
  operation_id: null,
  user_id: null,
  station: null,
  title: '480215',
  detail: 'ongoing · F1400 · Олена Коваль',
  ...rest,
});
const searchCall = (q: string) => `GET /api/admin/search?q=${q}`;

function OwnSlash({ onSlash }: { onSlash: () => void }) {
  useKeys({ Slash: onSlash });
  return null;
}

async function openPage(answers: Record<string, unknown> = {}, onSlash?: () => void) {
  const server = serve(answers);
  const page = (
    <>
      <StaffPage title="Операції">{onSlash && <OwnSlash onSlash={onSlash} />}</StaffPage>
      <SearchHost />
    </>
  );
  const routes = [
    { path: '/admin/operations', element: page },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const drawn = await renderRoutes(routes, cacheWith({ user: aUser({ role: 'SuperAdmin' }) }), '/admin/operations');
  return { server, address: () => drawn.router.state.location.pathname + drawn.router.state.location.search };
}

const openByKey = () => fireEvent.keyDown(document.body, { code: 'KeyK', ctrlKey: true });
const field = () => screen.findByRole('combobox');
const type = async (value: string) => fireEvent.change(await field(), { target: { value } });
const press = async (key: string, rest = {}) => fireEvent.keyDown(await field(), { key, ...rest });
const options = () => Array.from(document.querySelectorAll('[role="option"]'), ({ textContent }) => textContent);
const chosen = () => document.querySelector('[aria-selected="true"]')?.textContent;
afterEach(() => vi.unstubAllGlobals());

describe('the search of the back office', () => {
  it('opens with Ctrl K and with a press, and closes with Escape', async () => {
    await openPage();
    openByKey();
    expect(await field()).toBe(document.activeElement);
    fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: /^Знайти будь-що/ }));
    expect(await field()).toBeTruthy();
  });

  it('opens with a slash, except on a page with a field of its own for it', async () => {
    await openPage();
    fireEvent.keyDown(document.body, { code: 'Slash' });
    expect(await field()).toBeTruthy();
  });

  it('leaves the slash to the page that uses it', async () => {
    const onSlash = vi.fn();
    await openPage({}, onSlash);
    fireEvent.keyDown(document.body, { code: 'Slash' });
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(onSlash).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('groups results by kind, marks the match, and opens the chosen one with the keyboard', async () => {
    const found = [
      aFound({ kind: 'payment', id: 391, operation_id: 480102, title: '391', detail: '•••• 4821 · success' }),
      aFound({ id: 4821, title: '4821' }),
      aFound({ kind: 'rfid', id: 3, user_id: 8, title: '4821…', detail: 'Марина Литвиненко' }),
    ];
    const { address } = await openPage({ [searchCall('4821')]: found });
    openByKey();
    await type('4821');
    await waitFor(() => expect(options()).toHaveLength(3));
    expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
      'Операції',
      'Платежі',
      'RFID-картки',
    ]);
    expect(document.querySelectorAll('mark')).toHaveLength(3);
    await press('ArrowDown');
    expect(chosen()).toContain('391');
    await press('ArrowUp');
    await press('ArrowUp');
    expect(chosen()).toContain('Марина');
    await press('ArrowUp');
    await press('Enter');
    await waitFor(() => expect(address()).toBe('/admin/operations/480102'));
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('opens the report of a page error by its code', async () => {
    const report = aFound({ kind: 'page_error', id: 1, title: 'ABCD2345', detail: '/map · boom' });
    const { address } = await openPage({ [searchCall('ABCD-2345')]: [report] });
    openByKey();
    await type('ABCD-2345');
    await waitFor(() => expect(options()).toHaveLength(1));
    await press('Enter');
    await waitFor(() => expect(address()).toBe('/admin/page-errors/ABCD2345'));
  });

  it('opens a new tab with Ctrl Enter', async () => {
    const open = vi.fn();
    vi.stubGlobal('open', open);
    await openPage({ [searchCall('480215')]: [aFound({})] });
    openByKey();
    await type('480215');
    await waitFor(() => expect(options()).toHaveLength(1));
    await press('Enter', { ctrlKey: true });
    expect(open).toHaveBeenCalledWith('/admin/operations/480215', '_blank', 'noopener');
  });

  it('says that nothing was found, and what can be searched', async () => {
    await openPage({ [searchCall('zzz')]: [] });
    openByKey();
    await type('zzz');
    expect(await screen.findByText('"zzz" Not Found')).toBeTruthy();
    expect(screen.getByText(/останні цифри картки/)).toBeTruthy();
  });

  it('says why it failed', async () => {
    await openPage({ [searchCall('zzz')]: new RefusedAnswer(500) });
    openByKey();
    await type('zzz');
    expect(await screen.findByText('Помилка на сервері. Спробуйте трохи згодом.')).toBeTruthy();
  });

  it('begins with what was opened last, then the pages', async () => {
    rememberItem(7, { kind: 'user', to: '/admin/users/8', title: 'Роман Яценко', detail: 'Support' });
    const { address } = await openPage();
    openByKey();
    await field();
    expect(options().slice(0, 2)).toEqual(['Роман ЯценкоSupport', 'Огляд']);
    await press('Enter');
    await waitFor(() => expect(address()).toBe('/admin/users/8'));
  });

  it('remembers eight items, the last first, each once, and none of a colleague', () => {
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8, 9, 3])
      rememberItem(7, { kind: 'operation', to: `/admin/operations/${id}`, title: `${id}`, detail: '' });
    expect(recentItems(7).map(({ title }) => title)).toEqual(['3', '9', '8', '7', '6', '5', '4', '2']);
    expect(recentItems(8)).toEqual([]);
    localStorage.setItem('staff.recent', '{"of":7,"items":[{"to":"https://evil.example"}]}');
    expect(recentItems(7)).toEqual([]);
  });

  it.each([
    [aFound({}), '/admin/operations/480215'],
    [aFound({ kind: 'user', id: 8 }), '/admin/users/8'],
    [aFound({ kind: 'station', id: 3, station: 'F1400' }), '/admin/operations?station=F1400'],
    [aFound({ kind: 'charge_point', id: 3, station: 'F1400' }), '/admin/operations?station=F1400'],
    [aFound({ kind: 'payment', id: 3, operation_id: 5, user_id: 8 }), '/admin/operations/5'],
    [aFound({ kind: 'payment', id: 3, user_id: 8 }), '/admin/users/8'],
    [aFound({ kind: 'rfid', id: 3, user_id: 8 }), '/admin/users/8'],
  ])('%j opens %s', (found, page) => {
    expect(pageOf(found)).toBe(page);
  });
});
