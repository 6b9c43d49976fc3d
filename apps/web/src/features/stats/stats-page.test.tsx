import { type HistoryRange, historyRanges, type UserStats } from '@fpay/contract/history';
import { kopecks, wattHours } from '@fpay/contract/money';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser, someSettings } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { trendOf } from './figures.ts';
import { Page } from './stats-page.tsx';

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
type Charge = UserStats['transactions'][number];
const aCharge = (timestamp: number, rest: Partial<Charge> = {}): Charge => ({
  timestamp,
  energy: wattHours(10_000),
  total: kopecks(150_00),
  car: 1,
  isPaid: true,
  ...rest,
});
const someStats = (rest: Partial<UserStats> = {}): UserStats => ({
  now: 0,
  transactions: [],
  balance_earned: kopecks(0),
  balance_spent: kopecks(0),
  debt: kopecks(0),
  ...rest,
});

const callOf = (range: string) => `GET /api/user/stats/${range}`;
async function openStats(given: Partial<Record<HistoryRange, unknown>>, path = '/stats') {
  const server = serve(Object.fromEntries(historyRanges.map((range) => [callOf(range), given[range] ?? someStats()])));
  const drawn = await renderRoutes(
    [
      { path: '/stats', element: <Page /> },
      { path: '*', element: <p>Інша сторінка</p> },
    ],
    cacheWith({ user: driver }),
    path,
  );
  await act(async () => undefined);
  return { server, ...drawn };
}

/** Read from the table's rows, because a query by role takes seconds for thirty of them. */
const bars = async (caption: RegExp) => {
  const table = (await screen.findByText(caption, { selector: 'caption' })).parentElement as HTMLTableElement;
  return Array.from(table.rows, ({ cells: [name, value] }) => `${name?.textContent} ${value?.textContent}`);
};
const totals = () =>
  Array.from(screen.getByLabelText('Підсумки').children, ({ textContent }) => textContent?.replaceAll('\u00a0', ' '));

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-15T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('statistics', () => {
  it('draw the energy of each day of the week: seven bars, today marked [STAT-01] [STAT-02]', async () => {
    const week = someStats({
      now: 7,
      transactions: [aCharge(2), aCharge(2, { energy: wattHours(2_400) }), aCharge(7)],
    });
    const { container } = await openStats({ week });
    expect(await bars(/днями тижня/)).toEqual([
      'Понеділок 0',
      'Вівторок 12,4',
      'Середа 0',
      'Четвер 0',
      'Пʼятниця 0',
      'Субота 0',
      'Неділя 10,0',
    ]);
    expect(container.querySelectorAll('rect[data-bar]')).toHaveLength(2);
    expect(container.querySelectorAll('rect.fill-accent')).toHaveLength(1);
    expect(screen.getByText('22,4')).toBeTruthy();
  });

  it('draw a bar for each of the twelve months [STAT-01] [STAT-02]', async () => {
    await openStats({ year: someStats({ now: 11, transactions: [aCharge(1), aCharge(12)] }) }, '/stats?range=year');
    const months = await bars(/місяцями/);
    expect(months).toHaveLength(12);
    expect([months[0], months[10], months[11]]).toEqual(['січень 10,0', 'листопад 0', 'грудень 10,0']);
  });

  it.each([28, 31])('draw a bar for each of the %i days of a month [STAT-03]', async (length) => {
    await openStats({ lastMonth: someStats({ length, transactions: [aCharge(length)] }) }, '/stats?range=lastMonth');
    const days = await bars(/днями місяця/);
    expect([days.length, days.at(-1)]).toEqual([length, `${length} 10,0`]);
  });

  it('show kWh, money spent, the balance earned and spent, and the debt [STAT-04]', async () => {
    await openStats({
      week: someStats({
        now: 7,
        transactions: [aCharge(1), aCharge(2, { total: kopecks(58_00), isPaid: false })],
        balance_earned: kopecks(1390_00),
        balance_spent: kopecks(245_50),
        debt: kopecks(58_00),
      }),
    });
    expect(await screen.findByText('20,0')).toBeTruthy();
    expect(totals()).toEqual([
      'Витрачено150,00 ₴',
      'Надійшло на баланс1 390,00 ₴',
      'Сплачено з балансу245,50 ₴',
      'БоргСпишемо з картки пізніше58,00 ₴',
    ]);
  });

  it.each([
    [0, '0,00 ₴'],
    [10_000_00, '10 000,00 ₴'],
    [10_000_01, '10k ₴'],
    [12_449_99, '12,4k ₴'],
    [123_456_00, '123,5k ₴'],
  ])('show %i kopecks of the balance as %s [STAT-05]', async (amount, text) => {
    await openStats({ week: someStats({ balance_earned: kopecks(amount), balance_spent: kopecks(amount) }) });
    await screen.findByLabelText('Підсумки');
    expect(totals().slice(1, 3)).toEqual([`Надійшло на баланс${text}`, `Сплачено з балансу${text}`]);
  });

  it('can be filtered by car and by the ranges of the history, each requested once [STAT-06] [HIST-04]', async () => {
    const week = someStats({ now: 7, transactions: [aCharge(1), aCharge(1, { car: 2, energy: wattHours(3_000) })] });
    const { server } = await openStats({ week });
    expect((await bars(/днями тижня/))[0]).toBe('Понеділок 13,0');
    fireEvent.change(screen.getByLabelText('Авто'), { target: { value: '2' } });
    await waitFor(async () => expect((await bars(/днями тижня/))[0]).toBe('Понеділок 3,0'));
    for (const name of ['Місяць', 'Рік', 'Тиждень', 'Місяць']) {
      fireEvent.click(screen.getByLabelText(name));
      await screen.findByText(`Цей ${name.toLowerCase()}`);
    }
    await waitFor(() => expect(server.times(callOf('lastYear'))).toBe(1));
    for (const range of historyRanges) expect(server.times(callOf(range)), range).toBe(1);
  });

  it('of a period without a charge show a drawing and a sentence instead of an empty axis', async () => {
    await openStats({});
    const empty = await screen.findByText(/За цей період зарядок не було/);
    expect(empty.querySelector('svg')).toBeTruthy();
    expect(document.querySelector('caption')).toBeNull();
  });

  it('have a link to support [STAT-07]', async () => {
    await openStats({});
    const link = screen.getByLabelText('Зателефонувати в підтримку');
    expect(link.getAttribute('href')).toBe(`tel:${someSettings.support_phone}`);
  });

  it('explain the debt: not charged to the card yet, retried later [STAT-08]', async () => {
    await openStats({ week: someStats({ debt: kopecks(58_00) }) });
    fireEvent.click(await screen.findByLabelText('Що таке борг'));
    const [popup] = usePopups.getState().waiting;
    expect(popup?.kind === 'message' && popup.message).toBe(
      'Борг — це сума за зарядку, яку ще не вдалося списати з картки. Ми спробуємо списати її знову трохи згодом. Від вас нічого не потрібно.',
    );
  });

  it('only log a failed request, and offer a retry [ERR-18]', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { server } = await openStats({ week: new RefusedAnswer(503) });
    expect(await screen.findByText('Не вдалося завантажити статистику')).toBeTruthy();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(usePopups.getState().waiting).toEqual([]);
    server.answers[callOf('week')] = someStats();
    fireEvent.click(screen.getByRole('button', { name: 'Спробувати ще раз' }));
    expect(await screen.findByLabelText('Підсумки')).toBeTruthy();
  });

  it.each([
    // Until Wednesday; later charges of the last week are not compared.
    [3, [aCharge(1), aCharge(2)], [aCharge(3), aCharge(7)], 100],
    [3, [aCharge(1)], [aCharge(1), aCharge(2)], -50],
    [3, [aCharge(1)], [aCharge(7)], null],
    [0, [aCharge(1)], [aCharge(1)], null],
    [3, [aCharge(1)], [aCharge(1, { energy: wattHours(10) })], null],
  ])('on day %i are compared with the same days of the last range', (now, present, last, percent) => {
    expect(trendOf(someStats({ now, transactions: present }), someStats({ transactions: last }))).toBe(percent);
  });
});
