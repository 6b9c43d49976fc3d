import { type HistoryItem, historyRanges } from '@fpay/contract/history';
import { kopecks, wattHours } from '@fpay/contract/money';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { Page } from './history-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

const aCar = (id: number, name: string) => ({
  id,
  name,
  battery: null,
  manufacturer: null,
  model: null,
  plate: null,
  vin: null,
  year: null,
});
const driver = aUser({ cars: [aCar(1, 'Леаф'), aCar(2, 'Іонік')] });
const anItem = (id: number, rest: Partial<HistoryItem> = {}): HistoryItem => ({
  id,
  date: '2026-11-15',
  time: '14:30',
  car_id: 1,
  car_name: 'Леаф',
  station_number: `F${id}`,
  address: 'Polia Ave, 46',
  address_uk: 'просп. Поля, 46',
  connector_type: 'ccstype2',
  minutes: 38,
  card: '4821',
  has_receipt: true,
  energy: wattHours(20_000),
  total: kopecks(300_00),
  status: 'finished',
  payment_type: 'bank',
  ...rest,
});

const callOf = (range: string) => `GET /api/user/history/${range}`;
const answersOf = (items: unknown) => Object.fromEntries(historyRanges.map((range) => [callOf(range), items]));

async function openHistory(answers: Record<string, unknown>, path = '/history') {
  const server = serve(answers);
  const drawn = await renderRoutes(
    [
      { path: '/history', element: <Page /> },
      { path: '*', element: <p>Інша сторінка</p> },
    ],
    cacheWith({ user: driver }),
    path,
  );
  await act(async () => undefined);
  return { server, ...drawn };
}

/** Found by selector instead of role, which takes seconds for a whole list. */
const links = () => Array.from(document.querySelectorAll('a[href^="/status/"]'), (link) => link.getAttribute('href'));
const period = (name: string) => screen.getByLabelText(name);
const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ');

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-15T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('history', () => {
  it('lists finished operations by day, each with a link to its page [HIST-01]', async () => {
    await openHistory(answersOf([anItem(3), anItem(2, { date: '2026-11-14' }), anItem(1, { date: '2026-11-10' })]));
    await screen.findByText('Сьогодні');
    expect(links()).toEqual(['/status/3', '/status/2', '/status/1']);
    expect(Array.from(document.querySelectorAll('h2'), shown)).toEqual(['Сьогодні', 'Учора', '10 листопада']);
    expect(shown(screen.getByLabelText('Сьогодні'))).toBe(
      'просп. Поля, 46F3 · 14:30, 38 хв300,00 ₴Леаф · картка *482120,00 кВт·год',
    );
    expect(shown(screen.getByText(/3 зарядки/).closest('p') as Element)).toBe('60,0 кВт·год3 зарядки900,00 ₴');
  });

  it.each([
    ['canceled', 'скасовано'],
    ['failed', 'не почалася'],
    ['failed_hold', 'оплата не пройшла'],
    ['pending_final_payment', 'гроші ще не списано'],
  ] as const)('has a text for an operation that is %s', async (status, word) => {
    await openHistory(answersOf([anItem(3, { status })]));
    expect(await screen.findByText(word)).toBeTruthy();
  });

  it('can be filtered by car: any, or each of the driver’s [HIST-02]', async () => {
    const items = [anItem(4), anItem(3, { car_id: 2, car_name: 'Іонік' }), anItem(2, { car_id: null, car_name: null })];
    await openHistory(answersOf(items));
    const choice = screen.getByLabelText<HTMLSelectElement>('Авто');
    expect(Array.from(choice.options, shown)).toEqual(['Усі авто', 'Леаф', 'Іонік']);
    await waitFor(() => expect(links()).toHaveLength(3));
    fireEvent.change(choice, { target: { value: '2' } });
    await waitFor(() => expect(links()).toEqual(['/status/3']));
    fireEvent.change(choice, { target: { value: '' } });
    await waitFor(() => expect(links()).toHaveLength(3));
  });

  it('has six ranges: this week, month and year, and the last of each [HIST-03]', async () => {
    const byRange = historyRanges.map((range, index) => [callOf(range), [anItem(index + 1)]]);
    await openHistory(Object.fromEntries(byRange));
    const seen: string[][] = [];
    const note = async () => {
      await waitFor(() => expect(links()).toHaveLength(1));
      seen.push([screen.getByText(/^(Цей|Минулий)/).parentElement?.textContent ?? '', links()[0] ?? '']);
    };
    await note();
    for (const name of ['Місяць', 'Рік']) {
      fireEvent.click(period(name));
      await note();
    }
    fireEvent.click(screen.getByLabelText('Попередній період'));
    await note();
    for (const name of ['Місяць', 'Тиждень']) {
      fireEvent.click(period(name));
      await note();
    }
    expect(seen).toEqual([
      ['Цей тиждень9–15 листопада', '/status/1'],
      ['Цей місяцьлистопад 2026', '/status/2'],
      ['Цей рік2026', '/status/3'],
      ['Минулий рік2025', '/status/6'],
      ['Минулий місяцьжовтень 2026', '/status/5'],
      ['Минулий тиждень2–8 листопада', '/status/4'],
    ]);
    expect(screen.getByLabelText<HTMLButtonElement>('Попередній період').disabled).toBe(true);
    fireEvent.click(screen.getByLabelText('Наступний період'));
    await waitFor(() => expect(screen.getByText('Цей тиждень')).toBeTruthy());
    expect(screen.getByLabelText<HTMLButtonElement>('Наступний період').disabled).toBe(true);
  });

  it('requests each range once while the page is open, and again when it is reopened [HIST-04]', async () => {
    const { server, router } = await openHistory(answersOf([anItem(1)]));
    for (const name of ['Місяць', 'Тиждень', 'Місяць', 'Тиждень']) {
      fireEvent.click(period(name));
      await waitFor(() => expect(links()).toHaveLength(1));
    }
    expect([server.times(callOf('week')), server.times(callOf('month'))]).toEqual([1, 1]);
    await act(() => router.navigate('/elsewhere'));
    await act(() => router.navigate('/history'));
    await waitFor(() => expect(server.times(callOf('week'))).toBe(2));
    expect(server.times(callOf('month'))).toBe(1);
  });

  it('stores car and range in the address, so that going back restores them', async () => {
    const { router } = await openHistory(
      answersOf([anItem(1), anItem(2, { car_id: 2 })]),
      '/history?range=lastMonth&car=2',
    );
    expect(await screen.findByText('Минулий місяць')).toBeTruthy();
    await waitFor(() => expect(links()).toEqual(['/status/2']));
    fireEvent.click(period('Рік'));
    await waitFor(() => expect(router.state.location.search).toBe('?range=lastYear&car=2'));
  });

  it('saves the receipt of a paid charge, and offers none for others', async () => {
    const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    URL.createObjectURL = () => 'blob:receipt';
    const items = [
      anItem(5),
      anItem(4, { payment_type: 'free', card: null, has_receipt: false }),
      anItem(3, { status: 'canceled', has_receipt: false }),
      anItem(2, { status: 'pending_final_payment', has_receipt: false }),
    ];
    const { server } = await openHistory({ ...answersOf(items), 'GET /api/invoice/5': new Blob(['%PDF']) });
    await waitFor(() => expect(links()).toHaveLength(4));
    const buttons = screen.getAllByLabelText(/Квитанція/);
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Квитанція №\u00a05']);
    fireEvent.click(screen.getByLabelText('Квитанція № 5'));
    await waitFor(() => expect(save).toHaveBeenCalled());
    expect((save.mock.contexts[0] as HTMLAnchorElement).download).toBe('invoice-fpay-5.pdf');
    expect(server.times('GET /api/invoice/5')).toBe(1);
  });

  it('shows that no operations were found, and a link [ERR-40]', async () => {
    await openHistory(answersOf([]));
    expect(await screen.findByRole('heading', { name: 'Зарядок не знайдено' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Сканувати QR' })).toBeTruthy();
  });

  it('only logs a failed request, and offers a retry without a popup [ERR-18]', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { server } = await openHistory(answersOf(new RefusedAnswer(500)));
    expect(await screen.findByText('Не вдалося завантажити історію')).toBeTruthy();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(usePopups.getState().waiting).toEqual([]);
    server.answers[callOf('week')] = [anItem(8)];
    fireEvent.click(screen.getByRole('button', { name: 'Спробувати ще раз' }));
    await waitFor(() => expect(links()).toEqual(['/status/8']));
  });

  it('shows what a charge costs after a return, beside what it was, and says what the sum leaves out', async () => {
    const refunded = { amount: kopecks(100_00), returns: [] };
    await openHistory(answersOf([anItem(1, { total: kopecks(324_85), refunded }), anItem(2)]));
    await waitFor(() => expect(links()).toHaveLength(2));
    expect(document.querySelector('s')?.textContent).toBe('було424,85\u00a0₴');
    expect(screen.getByText(/^Повернули 100,00/)).toBeTruthy();
    expect(screen.getByText(/^За цей період повернули 100,00/)).toBeTruthy();
    expect(document.body.textContent).toContain('624,85\u00a0₴');
  });
});
