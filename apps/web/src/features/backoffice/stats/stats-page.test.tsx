import type { OverallStats, StatsCharts } from '@fpay/contract/admin/stats';
import { kopecks, wattHours } from '@fpay/contract/money';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderPart, renderRoutes } from '../../../testing/render.tsx';
import { pass, RefusedAnswer, serve } from '../../../testing/server.ts';
import { usePopups } from '../../../ui/overlay/popups.ts';
import { StaffClock } from '../parts/clock.tsx';
import { barsOf, successOf } from './series.ts';
import { Page } from './stats-page.tsx';

vi.setConfig({ testTimeout: 30_000 });

const someStats = (rest: Partial<OverallStats> = {}): OverallStats => ({
  from: '2026-11-01T00:00:00Z',
  to: '2026-11-15T12:35:00Z',
  kwh: 38_412.6,
  uah: {
    total: kopecks(541_908_40),
    balance: kopecks(118_220_15),
    balance_percentage: 21.8,
    over_limit: kopecks(312_60),
    overcharge: kopecks(84_20),
    ongoing: kopecks(9_874_00),
    lost: kopecks(58_00),
    idle: kopecks(24_00),
    refunded: kopecks(1_210_50),
    rewards: kopecks(310_00),
    net: 540_329_90,
    given: -45_00,
  },
  count: {
    total: 1322,
    successful: 1184,
    ongoing: 37,
    failed: 18,
    canceled: 52,
    failed_hold: 31,
    created: 0,
    other: 0,
    free: 4,
    promo: 12,
  },
  firstOperation: '2026-11-01T05:00:00Z',
  lastOperation: '2026-11-15T12:32:00Z',
  avg: { kwh: 29.1, uah: 409_92, hold_amount: 486_30, progress: 78 },
  feedback: { avg: 4.6, count: 318 },
  ...rest,
});
const nothing: OverallStats = {
  ...someStats(),
  kwh: 0,
  uah: { ...someStats().uah, total: kopecks(0), balance: kopecks(0), balance_percentage: null },
  count: { ...someStats().count, total: 0, successful: 0, ongoing: 0, failed: 0, canceled: 0, failed_hold: 0 },
  firstOperation: null,
  lastOperation: null,
  avg: { kwh: null, uah: null, hold_amount: null, progress: null },
  feedback: { avg: null, count: 0 },
};
const sums = (kwh: number) => ({
  energy: wattHours(kwh * 1000),
  total: kopecks(kwh * 14_50),
  count: 4,
  successful: kwh === 0 ? 0 : 3,
});
const dayOf = (kwh: number) => ({
  ...sums(kwh),
  lost: kopecks(0),
  refunded: kopecks(0),
  rewards: kopecks(0),
  idle: kopecks(0),
  net: kwh * 14_50,
});
const someCharts = (rest: Partial<StatsCharts> = {}): StatsCharts => ({
  before: someStats({ kwh: 30_000, count: { ...someStats().count, total: 0 } }),
  days: [
    { day: '2026-11-14', ...dayOf(20) },
    { day: '2026-11-15', ...dayOf(10) },
  ],
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, ...sums(hour === 14 ? 30 : 0) })),
  stations: [{ station: 'F1400', ...sums(20) }],
  ...rest,
});

const question = (rest: string) => `${rest}tz=Europe%2FKyiv&with_temp=true`;
const figuresCall = (of: string) => `GET /api/admin/stats?${question(of)}`;
const chartsCall = (of: string) => `GET /api/admin/stats/charts?${question(of)}`;

async function openStats(
  of: readonly string[],
  {
    path = '',
    stats = someStats() as unknown,
    charts = someCharts(),
    statsOf = {} as Record<string, OverallStats>,
  } = {},
) {
  const server = serve(
    Object.fromEntries(
      of.flatMap((each) => [
        [figuresCall(each), statsOf[each] ?? stats],
        [chartsCall(each), charts],
      ]),
    ),
  );
  const routes = [{ path: '/admin/stats', element: <Page /> }];
  const drawn = await renderRoutes(routes, cacheWith({ user: aUser({ role: 'Admin' }) }), `/admin/stats${path}`);
  await act(async () => undefined);
  return { server, address: () => drawn.router.state.location.pathname + drawn.router.state.location.search };
}

const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ');
const figures = async (title: string) =>
  Array.from((await screen.findByLabelText(title)).children, (row) =>
    Array.from(row.querySelectorAll('dt, dd'), shown),
  );
const bars = async (caption: string) => {
  const table = (await screen.findByText(caption, { selector: 'caption' })).parentElement as HTMLTableElement;
  return Array.from(table.rows, ({ cells: [name, value] }) => `${name?.textContent} ${value?.textContent}`);
};

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-15T12:35:00Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

describe('the figures of a period', () => {
  it('are of today at first, and again with a quick check [ADM-STAT-01] [ADM-STAT-02]', async () => {
    const { server, address } = await openStats(['period=today&', 'period=month&station=F1400&'], {
      path: '?period=month&station=F1400',
      statsOf: { 'period=today&': someStats({ kwh: 512.4 }) },
    });
    await waitFor(() => expect(server.times(figuresCall('period=month&station=F1400&'))).toBe(1));
    expect(await screen.findByText(/38.412,6 кВт·год/)).toBeTruthy();
    fireEvent.click(await screen.findByText('Швидка перевірка'));
    await waitFor(() => expect(address()).toBe('/admin/stats'));
    await waitFor(() => expect(server.times(figuresCall('period=today&'))).toBe(1));
    expect(await screen.findByText(/512,4 кВт·год/)).toBeTruthy();
    expect(screen.queryByText(/38.412,6 кВт·год/)).toBeNull();
  });

  it('can be of eight periods, kept in the address [ADM-STAT-03]', async () => {
    const { server, address } = await openStats(['period=today&', 'period=lastYear&']);
    const periods = Array.from(
      document.querySelectorAll<HTMLInputElement>('input[type="radio"]'),
      ({ value }) => value,
    );
    expect(periods).toEqual([
      'today',
      'yesterday',
      'week',
      'lastWeek',
      'month',
      'lastMonth',
      'year',
      'lastYear',
      'manual',
    ]);
    fireEvent.click(screen.getByLabelText('Минулий рік'));
    await waitFor(() => expect(address()).toBe('/admin/stats?period=lastYear'));
    await waitFor(() => expect(server.times(figuresCall('period=lastYear&'))).toBe(1));
    expect(screen.getByText('CSV').closest('a')?.getAttribute('href')).toContain(
      '/api/admin/export/stats?period=lastYear',
    );
  });

  it('can be of a range from two dates, not after now and with the end last [ADM-STAT-04] [VAL-30]', async () => {
    const range = 'from=2026-10-31T22%3A00%3A00.000Z&to=2026-11-10T10%3A00%3A00.000Z&';
    const { server } = await openStats(['period=today&', range]);
    fireEvent.click(screen.getByLabelText('Від – до'));
    const type = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    const button = () => screen.getByText('За період').closest('button') as HTMLButtonElement;
    type('Від', '16.11.2026 10:00');
    type('До', '17.11.2026 10:00');
    expect([button().disabled, screen.queryByText('Початок має бути в минулому') !== null]).toEqual([true, true]);
    type('Від', '01.11.2026');
    type('До', '30.10.2026');
    expect([button().disabled, screen.queryByText('Кінець має бути після початку') !== null]).toEqual([true, true]);
    type('До', '10.11.2026 12:00');
    fireEvent.click(button());
    await waitFor(() => expect(server.times(figuresCall(range))).toBe(1));
  });

  it('are of one station once its number is typed [VAL-26]', async () => {
    const { address } = await openStats(['period=today&', 'period=today&station=F1400&']);
    const show = () => screen.getByText('Показати').closest('button') as HTMLButtonElement;
    expect(show().disabled).toBe(true);
    fireEvent.change(screen.getByLabelText('Станція'), { target: { value: ' f1400 ' } });
    fireEvent.click(show());
    await waitFor(() => expect(address()).toBe('/admin/stats?station=F1400'));
  });

  it('are energy, money and counts, each with its meaning [ADM-STAT-05] [ADM-STAT-06] [ADM-STAT-07]', async () => {
    await openStats(['period=today&']);
    expect(await figures('Гроші')).toEqual([
      ['Разом', '541 908,40 ₴'],
      ['З балансу', '118 220,15 ₴'],
      ['Частка балансу', '22 %'],
      ['Тривають', '9 874,00 ₴'],
      ['Понад ліміт', '312,60 ₴'],
      ['Надлишок', '84,20 ₴'],
      ['Втрачено', '58,00 ₴'],
      ['У тому числі простій', '24,00 ₴'],
      ['Повернено водіям', '1 210,50 ₴'],
      ['Винагороди за акціями', '310,00 ₴'],
      ['Чиста виручка', '540 329,90 ₴'],
      ['Нараховано працівниками', '−45,00 ₴'],
    ]);
    expect((await figures('Зарядки за результатом')).map((row) => row.join(' '))).toEqual([
      'Успішні 1 18490 %',
      'Тривають 373 %',
      'Чекають на оплату 00 %',
      'Скасовані 524 %',
      'Не почалися 181 %',
      'Оплата не пройшла 312 %',
      'Інші 00 %',
    ]);
    expect(await figures('Зарядки')).toEqual([
      ['Безкоштовні', '4'],
      ['За акцією', '12'],
      ['Перша', '1 лист., 07:00'],
      ['Остання', '15 лист., 14:32'],
    ]);
  });

  it('are averages and feedback, too [ADM-STAT-08]', async () => {
    await openStats(['period=today&']);
    expect(await figures('У середньому')).toEqual([
      ['Енергія за зарядку', '29,1 кВт·год'],
      ['Сума за зарядку', '409,92 ₴'],
      ['Холд', '486,30 ₴'],
      ['Використано депозиту', '78 %'],
      ['Оцінка', '4,6'],
      ['Відгуки', '318'],
    ]);
  });

  it('leave out temporary users on request [ADM-STAT-09]', async () => {
    const { address } = await openStats(['period=today&']);
    fireEvent.click(screen.getByLabelText('З тимчасовими користувачами'));
    await waitFor(() => expect(address()).toBe('/admin/stats?temporary=false'));
  });

  it('show ?% without a total, and MISSING without a value [VAL-34] [VAL-35]', async () => {
    await openStats(['period=today&'], { stats: nothing });
    expect((await figures('Гроші'))[2]).toEqual(['Частка балансу', '?%']);
    expect((await figures('Зарядки за результатом'))[0]).toEqual(['Успішні', '0?%']);
    expect((await figures('У середньому')).map(([, value]) => value)).toEqual([
      'MISSING',
      'MISSING',
      'MISSING',
      '?%',
      'MISSING',
      '0',
    ]);
    expect((await figures('Зарядки')).slice(2)).toEqual([
      ['Перша', 'MISSING'],
      ['Остання', 'MISSING'],
    ]);
  });

  it('are compared with the period before', async () => {
    await openStats(['period=today&']);
    const cards = () => screen.getAllByText(/до попереднього періоду/).map(shown);
    await waitFor(() =>
      expect(cards()).toEqual([
        '+28 % до попереднього періоду',
        '0 % до попереднього періоду',
        '?% до попереднього періоду',
      ]),
    );
  });

  it('have charts of the days, the hours and the best stations', async () => {
    await openStats(['period=today&']);
    expect(await bars('Енергія, кВт·год')).toEqual(['14 листопада 20', '15 листопада 10']);
    expect(await bars('Виручка, ₴')).toEqual(['14 листопада 290', '15 листопада 145']);
    expect(await bars('Успішні зарядки')).toEqual(['14 листопада 75\u00a0%', '15 листопада 75\u00a0%']);
    expect((await bars('Години доби, кВт·год'))[14]).toBe('14:00 30');
    const top = screen.getByLabelText('Станції з найбільшою енергією').querySelector('a');
    expect(top?.getAttribute('href')).toBe('/admin/operations?station=F1400');
  });

  it('are charted by month when there are many days', () => {
    const days = Array.from({ length: 365 }, (_, index) => ({
      day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
      ...dayOf(1),
    }));
    const months = barsOf(days);
    expect([months.length, months[0]?.of, months[0]?.energy, months[0]?.count]).toEqual([12, '2026-01', 31_000, 124]);
    expect([successOf({ count: 0, successful: 0 }), successOf({ count: 4, successful: 3 })]).toEqual([null, 75]);
  });

  it('alert why they cannot be loaded, and offer a retry [ERR-38]', async () => {
    await openStats(['period=today&'], { stats: new RefusedAnswer(500) });
    expect(await screen.findByText('Спробувати ще раз')).toBeTruthy();
    await waitFor(() => expect(usePopups.getState().waiting).toHaveLength(1));
  });
});

describe('the clock of the staff pages', () => {
  it('moves every second [CONST-06]', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-15T12:35:00Z') });
    const { container } = renderPart(<StaffClock />);
    expect(shown(container)).toContain('неділя, 15 листопада · 14:35:00');
    await pass(1000);
    expect(shown(container)).toContain('14:35:01');
    await pass(2000);
    expect(shown(container)).toContain('14:35:03');
  });
});
