import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import { kopecks, wattHours } from '@fpay/contract/money';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { readAddress, writeAddress } from './filters.ts';
import { loader, Page } from './operations-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

const anOperation = (id: number, rest: Partial<AdminOperationItem> = {}): AdminOperationItem => ({
  id,
  status: 'ongoing',
  hold: 'hold',
  payment: null,
  payment_type: 'bank',
  user: { id: 7, name: 'Олена Коваль', phone_number: '+380671234567' },
  station: 'F1400',
  total: kopecks(267_09),
  lost: kopecks(0),
  refunded: kopecks(0),
  rewards: kopecks(0),
  net: 267_09,
  amount: kopecks(362_50),
  energy: wattHours(18_420),
  datetime: '2025-11-15T12:32:00Z',
  notes: 0,
  ...rest,
});

const listCall = (count = 50) => `POST /api/admin/operations/last/${count}`;
const countCall = 'POST /api/admin/operations/count';

async function openList(rows: unknown, { path = '/admin/operations', isWide = false, answers = {} } = {}) {
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} }));
  const server = serve({ [listCall()]: rows, [countCall]: { count: 37, is_more: false }, ...answers });
  const routes = [
    { path: '/admin/operations', element: <Page /> },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const drawn = await renderRoutes(routes, cacheWith({ user: aUser({ role: 'Support' }) }), path);
  await act(async () => undefined);
  // On a phone the fields beside the lookup are behind a button.
  const more = screen.queryByLabelText('Налаштувати список');
  if (more) fireEvent.click(more);
  return {
    server,
    ...drawn,
    address: () => `${drawn.router.state.location.pathname}${drawn.router.state.location.search}`,
  };
}

/** Found by selector instead of role, which takes seconds for a whole list. */
const links = () =>
  Array.from(document.querySelectorAll('a[href^="/admin/operations/"]'), (link) => link.getAttribute('href'));
const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ');
const bodyOf = ({ server }: { server: ReturnType<typeof serve> }, count = 50) =>
  server.sent.findLast(({ call }) => call === listCall(count))?.body;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('what went back', () => {
  it('is named beside the total [ADM-STAT-12]', async () => {
    const refunded = anOperation(9, { refunded: kopecks(67_09), net: 200_00 });
    await openList([refunded, anOperation(8)], { isWide: true });
    const [mark, ...others] = await screen.findAllByTitle(/^Повернено/);
    expect([mark?.title.replaceAll('\u00a0', ' '), others]).toEqual(['Повернено 67,09 ₴, залишилося 200,00 ₴', []]);
  });
});

describe('the list of operations', () => {
  it('shows the last 50 with short labels, each a link to its page [ADM-OP-01]', async () => {
    await openList([anOperation(480215), anOperation(480214, { status: 'failed_hold', hold: 'failure', notes: 2 })]);
    await waitFor(() => expect(links()).toEqual(['/admin/operations/480215', '/admin/operations/480214']));
    const [first, second] = Array.from(document.querySelectorAll('[data-row]'), shown);
    expect(first).toBe('480215ONHOLD267,09 ₴ / 362,50 ₴F1400 · Олена Коваль15.11.2025, 14:32');
    expect(second).toContain('F.HOLDFAIL');
    expect(screen.getByRole('img', { name: '2 нотатки' })).toBeTruthy();
    expect(screen.getByText(/Знайдено 37/)).toBeTruthy();
  });

  it('is requested once on a cold load, before the page is rendered, with the filters of its address', async () => {
    const address = '/admin/operations?station=F1400';
    const server = serve({ [listCall()]: [anOperation(480215)], [countCall]: { count: 1, is_more: false } });
    const requested = () => server.sent.filter(({ call }) => call === listCall()).map(({ body }) => body);
    const open = (path: string) =>
      loader({ params: {}, request: new Request(`http://localhost${path}`) } as Parameters<typeof loader>[0]);
    open(address);
    await waitFor(() => expect(requested()).toMatchObject([{ station: 'F1400', before: null }]));
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
    const routes = [{ path: '/admin/operations', element: <Page /> }];
    await renderRoutes(routes, cacheWith({ user: aUser({ role: 'Support' }) }), address);
    await waitFor(() => expect(links()).toEqual(['/admin/operations/480215']));
    expect(requested()).toHaveLength(1);
    // A change of the filters, or a return to the list, asks by itself.
    open(address);
    await act(async () => undefined);
    expect(requested()).toHaveLength(1);
  });

  it('begins on the first screen of a phone: the fields beside the lookup are behind a button', async () => {
    await openList([anOperation(1)], { path: '/admin/operations?status=open' });
    const button = screen.getByLabelText('Налаштувати список');
    expect([button.getAttribute('aria-expanded'), button.textContent]).toEqual(['true', '1']);
    fireEvent.click(button);
    expect([screen.queryByLabelText('Скільки показати'), screen.queryByText('Фільтри')]).toEqual([null, null]);
    expect(screen.getByLabelText('Номер операції')).toBeTruthy();
  });

  it('changes the number of rows, in the address too [ADM-OP-01]', async () => {
    const { address, server } = await openList([], { answers: { [listCall(200)]: [anOperation(1)] } });
    const field = screen.getByLabelText('Скільки показати');
    fireEvent.change(field, { target: { value: '200' } });
    fireEvent.blur(field);
    await waitFor(() => expect(address()).toBe('/admin/operations?count=200'));
    await waitFor(() => expect(server.times(listCall(200))).toBe(1));
    fireEvent.change(screen.getByLabelText('Скільки показати'), { target: { value: '501' } });
    expect(screen.getByText('1–500')).toBeTruthy();
  });

  it('is narrowed by station and user in a popup [ADM-OP-02]', async () => {
    const list = await openList([anOperation(1)]);
    fireEvent.click(screen.getByRole('button', { name: 'Станція і користувач' }));
    const popup = within(await screen.findByRole('dialog', { name: 'Станція і користувач' }));
    fireEvent.change(popup.getByLabelText('Станція'), { target: { value: ' f1400 ' } });
    fireEvent.change(popup.getByLabelText('Користувач'), { target: { value: 'olena' } });
    fireEvent.click(popup.getByRole('button', { name: 'Застосувати' }));
    expect(popup.getByText('Введіть id або номер телефону')).toBeTruthy();
    fireEvent.change(popup.getByLabelText('Користувач'), { target: { value: '+38 (067) 123-45-67' } });
    fireEvent.click(popup.getByRole('button', { name: 'Застосувати' }));
    await waitFor(() => expect(list.address()).toBe('/admin/operations?station=F1400&user=%2B380671234567'));
    await waitFor(() => expect(bodyOf(list)).toMatchObject({ station: 'F1400', user: '+380671234567' }));
  });

  it('opens an operation by its number, once the number is at least 1 [ADM-OP-03]', async () => {
    const { address } = await openList([]);
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Відкрити' });
    const field = screen.getByLabelText('Номер операції');
    for (const [typed, isEnabled] of [
      ['', false],
      ['0', false],
      ['12a', false],
      ['480215', true],
    ] as const) {
      fireEvent.change(field, { target: { value: typed } });
      expect(button().disabled).toBe(!isEnabled);
    }
    fireEvent.click(button());
    await waitFor(() => expect(address()).toBe('/admin/operations/480215'));
  });

  it('has a collapsible block with status, hold, time and payment [ADM-OP-04]', async () => {
    const list = await openList([anOperation(1)]);
    const block = screen.getByText('Фільтри').closest('details') as HTMLDetailsElement;
    expect(block.open).toBe(false);
    const group = (name: string) => within(screen.getByRole('group', { name, hidden: true }));
    fireEvent.click(group('Оплата').getByLabelText('Баланс'));
    await waitFor(() => expect(list.address()).toBe('/admin/operations?payment=bonuses'));
    expect(group('Оплата').getAllByRole('radio', { hidden: true })).toHaveLength(3);
    expect(screen.getAllByText('Київський час, крок 5 хвилин')).toHaveLength(2);
    const from = screen.getByLabelText('Від');
    fireEvent.change(from, { target: { value: '2025-11-15T00:00' } });
    fireEvent.blur(from);
    await waitFor(() =>
      expect(bodyOf(list)).toMatchObject({ payment_type: 'bonuses', from: '2025-11-14T22:00:00.000Z', to: null }),
    );
  });

  it.each([
    ['Очікують', 'pending', '[ADM-OP-05]'],
    ['Стартують', 'starting', '[ADM-OP-05]'],
    ['Відкриті', 'open', '[ADM-OP-05]'],
    ['Закриті', 'closed', '[ADM-OP-06]'],
    ['Невдалі', 'failed', '[ADM-OP-06]'],
  ])('filters by status: %s is %s %s', async (label, status) => {
    const list = await openList([anOperation(1)]);
    fireEvent.click(screen.getByLabelText(label));
    await waitFor(() => expect(bodyOf(list)).toMatchObject({ status }));
  });

  it.each([
    ['Чекає', 'wait'],
    ['Заблоковано', 'hold'],
    ['Списано', 'ok'],
    ['Відмова', 'fail'],
    ['Повернено', 'reversed'],
  ])('filters by payment: %s is %s [ADM-OP-07]', async (label, hold) => {
    const list = await openList([anOperation(1)]);
    fireEvent.click(screen.getByLabelText(label));
    await waitFor(() => expect(bodyOf(list)).toMatchObject({ hold }));
  });

  it('shows the set filters in words and removes each', async () => {
    const { address } = await openList([], { path: '/admin/operations?status=open&station=F1400' });
    fireEvent.click(screen.getByRole('button', { name: 'Прибрати фільтр F1400' }));
    await waitFor(() => expect(address()).toBe('/admin/operations?status=open'));
    expect(screen.getByRole('button', { name: 'Прибрати фільтр Відкриті' })).toBeTruthy();
    expect(await screen.findByText('Операцій не знайдено')).toBeTruthy();
  });

  it('loads the next page after the last row', async () => {
    const pages = [[anOperation(3), anOperation(2)], [anOperation(1)]];
    const list = await openList([], {
      path: '/admin/operations?count=2',
      answers: { [listCall(2)]: () => pages.shift() },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Показати ще 2' }));
    await waitFor(() => expect(links()).toHaveLength(3));
    expect(bodyOf(list, 2)).toMatchObject({ before: 2 });
    expect(screen.queryByRole('button', { name: /Показати ще/ })).toBeNull();
  });

  it('is sorted by the server over the whole list, in the address too, and says so to a screen reader', async () => {
    const rows = [anOperation(2, { total: kopecks(900_00) }), anOperation(3)];
    const pages = [[anOperation(3), anOperation(2)], rows, [anOperation(3), anOperation(1, { total: kopecks(1) })]];
    const list = await openList(() => undefined, {
      path: '/admin/operations?count=2',
      isWide: true,
      answers: { [listCall(2)]: () => pages.shift() },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Разом' }));
    await waitFor(() => expect(list.address()).toBe('/admin/operations?count=2&sort=-total'));
    await waitFor(() => expect(links().map((link) => link?.at(-1))).toEqual(['2', '3']));
    expect(bodyOf(list, 2)).toMatchObject({ sort: '-total', before: null });
    expect(screen.getByRole('columnheader', { name: 'Разом' }).getAttribute('aria-sort')).toBe('descending');
    // The total of an open charge has grown in the meantime, so that its row is in both pages.
    fireEvent.click(screen.getByRole('button', { name: 'Показати ще 2' }));
    await waitFor(() => expect(links().map((link) => link?.at(-1))).toEqual(['2', '3', '1']));
    expect(bodyOf(list, 2)).toMatchObject({ sort: '-total', before: 3, before_value: 267_09 });
  });

  it('renders only the rows in the window, with the space of the others', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => anOperation(500 - index));
    await openList([], { path: '/admin/operations?count=500', isWide: true, answers: { [listCall(500)]: rows } });
    await waitFor(() => expect(links().length).toBeGreaterThan(10));
    expect(links().length).toBeLessThan(60);
    const heights = Array.from(document.querySelectorAll<HTMLElement>('tbody tr'), ({ style }) =>
      parseInt(style.height, 10),
    );
    expect(heights.reduce((sum, height) => sum + height, 0)).toBe(500 * 40);
  });

  it('keeps new rows back while the list is in use', async () => {
    const answers = [[anOperation(2)], [anOperation(3), anOperation(2, { status: 'finishing' })]];
    await openList(() => answers.shift());
    await waitFor(() => expect(links()).toHaveLength(1));
    const row = document.querySelector('[data-row]') as HTMLElement;
    fireEvent.focus(row);
    fireEvent.keyDown(document.body, { code: 'KeyR' });
    const button = await screen.findByRole('button', { name: 'Показати 1 нову' });
    expect(links()).toEqual(['/admin/operations/2']);
    expect(screen.getByTitle('finishing')).toBeTruthy();
    fireEvent.click(button);
    expect(links()).toEqual(['/admin/operations/3', '/admin/operations/2']);
  });

  it('moves between rows with J and K, and to the number with a slash', async () => {
    await openList([anOperation(2), anOperation(1)]);
    await waitFor(() => expect(links()).toHaveLength(2));
    const focused = () => document.activeElement?.getAttribute('href') ?? document.activeElement?.tagName;
    fireEvent.keyDown(document.body, { code: 'KeyJ' });
    fireEvent.keyDown(document.body, { code: 'KeyJ' });
    expect(focused()).toBe('/admin/operations/1');
    fireEvent.keyDown(document.body, { code: 'KeyK' });
    expect(focused()).toBe('/admin/operations/2');
    fireEvent.keyDown(document.body, { code: 'Slash' });
    expect(focused()).toBe('INPUT');
  });

  it('exports what the filters show', async () => {
    await openList([], { path: '/admin/operations?status=open&from=2025-11-15T00:00' });
    expect(screen.getByRole('link', { name: 'CSV' }).getAttribute('href')).toBe(
      '/api/admin/export/operations?status=open&from=2025-11-14T22%3A00%3A00.000Z',
    );
  });

  it('offers a retry when it cannot be loaded', async () => {
    const { server } = await openList(new RefusedAnswer(500));
    server.answers[listCall()] = [anOperation(1)];
    fireEvent.click(await screen.findByRole('button', { name: 'Спробувати ще раз' }));
    await waitFor(() => expect(links()).toHaveLength(1));
  });
});

describe('the address of the list', () => {
  it('keeps every filter', () => {
    const search = 'station=F1&user=7&status=open&hold=ok&from=2025-11-15T00%3A00&to=2025-11-15T14%3A35&payment=bank';
    const params = new URLSearchParams(`${search}&count=20&sort=total`);
    expect(writeAddress(readAddress(params)).toString()).toBe(params.toString());
  });

  it('is empty for the usual list, and leaves out what is no filter', () => {
    const params = new URLSearchParams('status=any&hold=x&payment=y&from=today&count=0&sort=name&user=olena');
    expect(writeAddress(readAddress(params)).toString()).toBe('');
  });
});
