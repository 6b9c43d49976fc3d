import type { ActiveOperation } from '@fpay/contract/charging';
import { kopecks, wattHours, watts } from '@fpay/contract/money';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { pass } from '../../../testing/server.ts';
import {
  aConnector,
  aStation,
  connectorCard,
  connectorCards,
  openStationPage,
  popupText,
  prepareStationScreen,
  pressButton as press,
  stationSoon as soon,
} from '../../../testing/station-screen.tsx';
import { close, usePopups } from '../../../ui/overlay/popups.ts';

vi.mock('../../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));
vi.mock('../../../api/leave.ts', () => ({ leaveFor: vi.fn() }));

prepareStationScreen();
beforeAll(
  async () => void (await Promise.all([import('./own-unpaid.tsx'), import('../free-alert/free-alert-bell.tsx')])),
);

const activeCall = 'GET /api/user/transactions/active';
const withdrawCall = 'POST /api/operation/withdraw/512';
const driver = aUser({ active_operations: [512] });

const anUnpaid = (rest: Partial<ActiveOperation> = {}): ActiveOperation => ({
  id: 512,
  status: 'created',
  connectorType: 'ccstype2',
  connectorAddress: '1',
  connectorPower: watts(60_000),
  deposit: kopecks(362_50),
  station_number: 'F1400',
  energy: wattHours(0),
  total: kopecks(0),
  unpaid: { connector: 1, page_url: 'https://bank.example/512', seconds_left: 520, seconds: 900 },
  ...rest,
});

const station = aStation({
  connectors: [
    aConnector(1, { status: 'occupied' }),
    aConnector(2, { type: 'type2', status: 'ready' }),
    aConnector(3, { type: 'nacs', status: 'occupied' }),
    aConnector(4, { type: 'gbtdc' }),
  ],
});

async function openPage(operations: ActiveOperation[] = [anUnpaid()]) {
  const page = await openStationPage(station, {
    user: driver,
    answers: {
      [activeCall]: operations,
      [withdrawCall]: { status: 'canceled' },
      'GET /api/free-alerts/F1400': { alert: null },
    },
  });
  await pass(10);
  return page;
}
const ownCard = () => connectorCards()[0] as HTMLElement;
const questions = () => usePopups.getState().waiting;
async function answer(isYes: boolean) {
  const [popup] = questions();
  await act(async () => popup && close(popup, isYes));
}

describe('an own unpaid payment at its station', () => {
  it.each(['Доступні · 3', 'Усі · 4'])(
    'is listed under «%s» with its countdown, pay and cancel, never as occupied [STN-23]',
    async (tab) => {
      await openPage();
      fireEvent.click(screen.getByRole('radio', { name: tab }));
      await pass();
      const own = within(ownCard());
      expect(own.getByText('Чекає на вашу оплату')).toBeTruthy();
      expect(own.getByRole('timer').textContent).toBe('ще 8:40');
      expect(own.queryByText('Зайнятий')).toBeNull();
      expect(own.queryByRole('button', { name: /Повідомити/ })).toBeNull();
      expect(screen.getByRole('link', { name: /Сплатити 362,50/ }).getAttribute('href')).toBe(
        'https://bank.example/512',
      );
      expect(screen.getByRole('button', { name: 'Скасувати оплату' })).toBeTruthy();
      await pass(1_000);
      expect(own.getByRole('timer').textContent).toBe('ще 8:39');
    },
  );

  it('keeps the switch and the refresh, and other drivers’ connectors stay occupied [STN-23]', async () => {
    await openPage();
    fireEvent.click(screen.getByRole('radio', { name: 'Усі · 4' }));
    await pass();
    expect(screen.getAllByText('Зайнятий')).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Оновити' })).toBeTruthy();
  });

  it('asks before another connector is chosen; no changes nothing [STN-23]', async () => {
    const { server } = await openPage();
    fireEvent.click(connectorCard('Type 2'));
    await pass();
    expect(questions()).toMatchObject([
      { kind: 'question', question: { title: 'Скасувати оплату №\u00a01 і взяти цей?' } },
    ]);
    await answer(false);
    await pass(300);
    expect(server.times(withdrawCall)).toBe(0);
    expect(screen.getByText('Чекає на вашу оплату')).toBeTruthy();
  });

  it('withdraws the old payment and takes the other connector after a yes [STN-23]', async () => {
    const { server } = await openPage();
    fireEvent.click(connectorCard('Type 2'));
    await pass();
    server.answers[activeCall] = [];
    await answer(true);
    await soon(() => expect(screen.getByRole('heading', { name: 'Як платитимете?' })).toBeTruthy());
    expect(server.times(withdrawCall)).toBe(1);
    expect(popupText()).toEqual([]);
  });

  it('that was paid meanwhile is not given up: its status page opens [STN-23]', async () => {
    const { server, router } = await openPage();
    server.answers[withdrawCall] = { status: 'pending' };
    fireEvent.click(connectorCard('Type 2'));
    await pass();
    await answer(true);
    await soon(() => expect(router.state.location.pathname).toBe('/status/512'));
  });

  it('is withdrawn by the button, and its connector is free again [STN-23]', async () => {
    const { server } = await openPage();
    server.answers[activeCall] = [];
    server.answers['GET /api/connectors/F1400'] = [{ ...aConnector(1), status: 'ready' }];
    press('Скасувати оплату');
    await soon(() => expect(screen.queryByText('Чекає на вашу оплату')).toBeNull());
    expect(server.times(withdrawCall)).toBe(1);
    await soon(() => expect(connectorCard('CCS2')).toBeTruthy());
    expect(popupText()).toEqual([]);
  });

  it('that ends by itself says that nothing was taken; one that was paid leads to its status page [STN-23]', async () => {
    const { server } = await openPage();
    server.answers[activeCall] = [];
    await pass(5_100);
    await soon(() => expect(popupText()).toEqual([expect.stringContaining('Гроші не списано')]));
    expect(screen.queryByText('Чекає на вашу оплату')).toBeNull();
  });

  it('that was paid in another tab leads to its status page [STN-23]', async () => {
    const { server, router } = await openPage();
    server.answers[activeCall] = [anUnpaid({ status: 'starting', unpaid: null })];
    await pass(5_100);
    await soon(() => expect(router.state.location.pathname).toBe('/status/512'));
  });

  it('at another station changes nothing here', async () => {
    await openPage([
      anUnpaid({ unpaid: { connector: 99, page_url: null, seconds_left: null, seconds: 900 }, station_number: 'F7' }),
    ]);
    expect(screen.queryByText('Чекає на вашу оплату')).toBeNull();
    fireEvent.click(connectorCard('Type 2'));
    await soon(() => expect(screen.getByRole('heading', { name: 'Як платитимете?' })).toBeTruthy());
    expect(questions()).toEqual([]);
  });
});
