import type { AdminFeedback, StationRating } from '@fpay/contract/admin/feedback';
import { kopecks } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderPart, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { usePopups } from '../../../ui/overlay/popups.ts';
import { Page } from './feedback-page.tsx';
import { Stars } from './stars.tsx';

vi.setConfig({ testTimeout: 30_000 });

const anEntry = (id: number, rest: Partial<AdminFeedback> = {}): AdminFeedback => ({
  id,
  payment_type: 'bank',
  connector_type: 'gbtdc',
  connector_id: 21,
  charging_station: 'F1311',
  user_phone_number: '+380671234567',
  user_name: 'Сергій Кравець',
  user_id: 7,
  total: kopecks(267_09),
  source: 'app',
  status: 'failed',
  finished_at: '2025-11-15T11:58:00Z',
  created_at: '2025-11-15T11:58:00Z',
  charging_operation_id: 480208,
  comment: 'Не стартує з першого разу',
  rating: 2,
  ...rest,
});

const listCall = 'POST /api/admin/feedback';
const pageOf = (data: AdminFeedback[], page_count = 1) => ({ data, page_count, total_count: data.length });

interface Opening {
  path?: string;
  isWide?: boolean;
  role?: Role;
  answers?: Record<string, unknown>;
}

async function openFeedback(page: unknown, { path = '', isWide = true, role = 'Admin', answers }: Opening = {}) {
  vi.stubGlobal('matchMedia', () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} }));
  const server = serve({ [listCall]: page, ...answers });
  const routes = [
    { path: '/admin/feedback', element: <Page /> },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const drawn = await renderRoutes(routes, cacheWith({ user: aUser({ role }) }), `/admin/feedback${path}`);
  await waitFor(() => expect(server.times(listCall)).toBe(1));
  await act(async () => undefined);
  return {
    server,
    address: () => drawn.router.state.location.pathname + drawn.router.state.location.search,
    lastBody: () => server.sent.findLast(({ call }) => call === listCall)?.body,
  };
}

const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ');
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const enableFilters = () => fireEvent.click(screen.getByLabelText('Фільтри'));
const go = () => fireEvent.click(screen.getByText('GO'));
const message = () => {
  const [popup] = usePopups.getState().waiting;
  return popup?.kind === 'message' ? popup.message : undefined;
};
afterEach(() => vi.unstubAllGlobals());

describe('the list of feedback', () => {
  it('loads ratings 1 to 5, page by page, with the page in the address [ADM-FB-01] [ADM-FB-02]', async () => {
    const { lastBody, address } = await openFeedback(pageOf([anEntry(1)], 3));
    expect(lastBody()).toMatchObject({ from: 1, to: 5, with_comments_only: false, page: 1 });
    fireEvent.click(await screen.findByLabelText('Наступна сторінка'));
    await waitFor(() => expect(address()).toBe('/admin/feedback?page=2'));
    await waitFor(() => expect(lastBody()).toMatchObject({ page: 2 }));
    expect(screen.getByText('2 з 3')).toBeTruthy();
  });

  it('is narrowed when GO is pressed, and the address keeps it [ADM-FB-03] [ADM-FB-04] [ADM-FB-05]', async () => {
    const { server, lastBody, address } = await openFeedback(pageOf([anEntry(1)]));
    enableFilters();
    type('до', '3');
    type('Станція', ' f1311 ');
    type('Користувач', '+38 (067) 123-45-67');
    fireEvent.click(screen.getByLabelText('Так'));
    expect(server.times(listCall)).toBe(1);
    go();
    await waitFor(() =>
      expect(address()).toBe('/admin/feedback?to=3&comments=true&station=F1311&user=%2B380671234567'),
    );
    await waitFor(() =>
      expect(lastBody()).toMatchObject({
        from: 1,
        to: 3,
        with_comments_only: true,
        station_number: 'F1311',
        user: '+380671234567',
        page: 1,
      }),
    );
    expect(screen.getByText('CSV').closest('a')?.getAttribute('href')).toContain('to=3&with_comments_only=true');
  });

  it('has filters only once they are enabled, and none after they are disabled [VAL-28]', async () => {
    const { lastBody, address } = await openFeedback(pageOf([anEntry(1)]), { path: '?from=2&station=F1311' });
    expect(lastBody()).toMatchObject({ from: 2, station_number: 'F1311' });
    expect(screen.getByLabelText<HTMLInputElement>('Станція').value).toBe('F1311');
    fireEvent.click(screen.getByLabelText('Фільтри'));
    await waitFor(() => expect(address()).toBe('/admin/feedback'));
    await waitFor(() => expect(lastBody()).toMatchObject({ from: 1, station_number: null }));
    expect(screen.queryByText('GO')).toBeNull();
  });

  it.each([
    ['0', '5'],
    ['1', '6'],
    ['4', '2'],
    ['x', '5'],
  ])('refuses ratings from %s to %s [VAL-27] [VAL-29]', async (from, to) => {
    const { server } = await openFeedback(pageOf([]));
    enableFilters();
    type('Оцінка від', from);
    type('до', to);
    go();
    expect(screen.getAllByText('Від 1 до 5').length).toBeGreaterThan(0);
    expect(server.times(listCall)).toBe(1);
  });

  it('leaves out values of an address that are no filters', async () => {
    const { lastBody } = await openFeedback(pageOf([]), { path: '?from=4&to=2&page=abc&user=olena' });
    expect(lastBody()).toMatchObject({ from: 1, to: 5, page: 1, user: null });
  });

  it('is a table on a desktop and cards on a phone', async () => {
    const row = await openFeedback(pageOf([anEntry(1), anEntry(2, { comment: null })]));
    await waitFor(() => expect(row.server.times(listCall)).toBe(1));
    expect(Array.from(document.querySelectorAll('tbody tr'), shown)).toEqual([
      '15.11.2025, 13:58Відгук про операцію 480208F1311 GB/T DCСергій КравецьНе стартує з першого разу267,09 ₴FAIL',
      '15.11.2025, 13:58Відгук про операцію 480208F1311 GB/T DCСергій Кравецьбез коментаря267,09 ₴FAIL',
    ]);
  });

  it('has the whole comment on a phone', async () => {
    await openFeedback(pageOf([anEntry(1)]), { isWide: false });
    expect(shown(await screen.findByRole('listitem'))).toBe(
      'F131115.11.2025, 13:58Не стартує з першого разуGB/T DC · Сергій КравецьFAIL',
    );
  });

  it('says when there is none, and offers a retry when it cannot be loaded', async () => {
    const { server } = await openFeedback(new RefusedAnswer(500));
    server.answers[listCall] = pageOf([]);
    fireEvent.click(await screen.findByText('Спробувати ще раз'));
    expect(await screen.findByText('Відгуків не знайдено')).toBeTruthy();
  });

  it.each([
    [5, 'good'],
    [4, 'good'],
    [3.99, 'neutral'],
    [3, 'neutral'],
    [2.99, 'bad'],
    [1, 'bad'],
  ])('shows a rating of %f as %s [ADM-FB-13]', (rating, mood) => {
    renderPart(<Stars rating={rating} />);
    expect(screen.getByRole('img').getAttribute('data-mood')).toBe(mood);
  });
});

describe('the detail of a feedback', () => {
  const open = async (entry: AdminFeedback, opening?: Opening) => {
    const list = await openFeedback(pageOf([entry]), opening);
    fireEvent.click(await screen.findByRole('button', { name: /Відгук про операцію 480208/ }));
    return { ...list, popup: within(await screen.findByRole('dialog')) };
  };
  const facts = () =>
    Object.fromEntries(
      screen.getAllByRole('term').map((term) => [shown(term), shown(term.nextElementSibling as Element)]),
    );

  it('has the time, status, source, payment and comment [ADM-FB-07]', async () => {
    const { popup } = await open(anEntry(1));
    expect(facts()).toEqual({
      Час: '15.11.2025, 13:58',
      Користувач: 'Сергій Кравець',
      Станція: 'F1311 · GB/T DC',
      Статус: 'FAIL',
      Джерело: 'Застосунок',
      Оплата: '267,09 ₴ · Картка',
    });
    expect(popup.getByText('Не стартує з першого разу')).toBeTruthy();
  });

  it('has a smiley instead of a missing comment [ADM-FB-07]', async () => {
    const { popup } = await open(anEntry(1, { comment: null }));
    expect(popup.getByText('без коментаря').querySelector('svg')).toBeTruthy();
  });

  it('opens the user and the operation [ADM-FB-09]', async () => {
    const { popup, address } = await open(anEntry(1));
    expect(popup.getByText('Користувач', { selector: 'span' }).closest('a')?.getAttribute('href')).toBe(
      '/admin/users/7',
    );
    fireEvent.click(popup.getByText('Операція'));
    await waitFor(() => expect(address()).toBe('/admin/operations/480208'));
  });

  it.each([
    ['+380671234567', 'tel:+380671234567'],
    ['TMP0000000001', null],
  ])('calls %s unless it is the placeholder of a guest [ADM-FB-08]', async (user_phone_number, target) => {
    const { popup } = await open(anEntry(1, { user_phone_number }));
    if (target) expect(popup.getByText('Зателефонувати').closest('a')?.getAttribute('href')).toBe(target);
    else expect(popup.getByText('Номера немає').closest('button')?.disabled).toBe(true);
  });

  it('leads to the ratings of its station, for a role that sees figures', async () => {
    const rating = 'GET /api/admin/rating/F1311?tz=Europe%2FKyiv&time_range=month';
    const { popup, server } = await open(anEntry(1), { answers: { [rating]: new RefusedAnswer(500) } });
    fireEvent.click(popup.getByText('Оцінки станції F1311'));
    await waitFor(() => expect(server.times(rating)).toBe(1));
  });
});

describe('the ratings of a station', () => {
  const monthCall = 'GET /api/admin/rating/F1400?tz=Europe%2FKyiv&time_range=month';
  const ratings: StationRating = {
    average_rating: 4.48,
    total_count: 318,
    one_star: 7,
    two_stars: 9,
    three_stars: 20,
    four_stars: 68,
    five_stars: 214,
  };
  const open = async (opening: Opening) => {
    const list = await openFeedback(pageOf([]), opening);
    fireEvent.click(await screen.findByText('Оцінки станції'));
    return { ...list, popup: within(await screen.findByRole('dialog', { name: 'Оцінки станції' })) };
  };
  const stars = async (popup: ReturnType<typeof within>) =>
    Array.from((await popup.findByLabelText('Оцінки за зірками')).children, shown);

  it('open from the list and need a station number [ADM-FB-06] [VAL-24]', async () => {
    const { popup, server } = await open({});
    fireEvent.click(popup.getByText('GO'));
    expect(popup.getByText('Введіть номер станції')).toBeTruthy();
    expect(server.sent).toHaveLength(1);
  });

  it('have an average, a number, and counts with shares of 1 to 5 stars [ADM-FB-11] [ADM-FB-12]', async () => {
    const { popup } = await open({ answers: { [monthCall]: ratings } });
    type('Номер станції', 'f1400');
    fireEvent.click(popup.getByText('GO'));
    expect(await stars(popup)).toEqual(['521467 %', '46821 %', '3206 %', '293 %', '172 %']);
    expect(popup.getByText('4,48')).toBeTruthy();
    expect(popup.getByText('318 відгуків')).toBeTruthy();
  });

  it('are of a period, or of a range with both dates [ADM-FB-10] [VAL-25]', async () => {
    const year = monthCall.replace('month', 'year');
    const range =
      'GET /api/admin/rating/F1400?tz=Europe%2FKyiv&manual_range=true&from=2026-10-31T22%3A00%3A00.000Z&to=2026-11-02T10%3A00%3A00.000Z';
    const { popup, server } = await open({ answers: { [year]: ratings, [range]: ratings } });
    type('Номер станції', 'F1400');
    fireEvent.click(popup.getByLabelText('Рік'));
    await waitFor(() => expect(server.times(year)).toBe(1));
    fireEvent.click(popup.getByLabelText('Від – до'));
    const button = () => popup.getByText('За період').closest('button') as HTMLButtonElement;
    type('Від', '');
    expect(button().disabled).toBe(true);
    type('Від', '01.11.2026');
    type('До', '31.10.2026 12:00');
    expect(popup.getByText('Кінець має бути після початку')).toBeTruthy();
    type('До', '02.11.2026 12:00');
    fireEvent.click(button());
    await waitFor(() => expect(server.times(range)).toBe(1));
  });

  it('show unknown shares without feedback [VAL-34]', async () => {
    const none = { one_star: 0, two_stars: 0, three_stars: 0, four_stars: 0, five_stars: 0 };
    const { popup } = await open({ answers: { [monthCall]: { average_rating: null, total_count: 0, ...none } } });
    type('Номер станції', 'F1400');
    fireEvent.click(popup.getByText('GO'));
    expect(await stars(popup)).toEqual(['50?%', '40?%', '30?%', '20?%', '10?%']);
    expect(popup.getByText('Відгуків немає')).toBeTruthy();
    expect(popup.getByText('MISSING')).toBeTruthy();
  });

  it('alert why they cannot be loaded [ERR-38]', async () => {
    const { popup } = await open({
      answers: { [monthCall]: new RefusedAnswer(404, { message: 'No', code: 'station_not_found' }) },
    });
    type('Номер станції', 'F1400');
    fireEvent.click(popup.getByText('GO'));
    await waitFor(() => expect(message()).toBeTruthy());
  });

  it('are hidden from a role without figures', async () => {
    await openFeedback(pageOf([]), { role: 'Support' });
    expect(screen.queryByText('Оцінки станції')).toBeNull();
  });
});
