import { kopecks, wattHours } from '@fpay/contract/money';
import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { pass, RefusedAnswer, serve } from '../../testing/server.ts';
import {
  aConnector,
  amountField,
  aStation,
  connectorCard as card,
  connectorCards as cards,
  live,
  openAmountStep as openAmount,
  openStationPage as openPage,
  payCall,
  payNow,
  popupText,
  prepareStationScreen,
  pressButton as press,
  stationSoon as soon,
  statesCall,
  stationCall,
  typeAmount as type,
} from '../../testing/station-screen.tsx';
import { lastStation } from './last-station.ts';
import { Page } from './station-page.tsx';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));
vi.mock('../../api/leave.ts', () => ({ leaveFor: vi.fn() }));

prepareStationScreen();

describe('the guard of a station', () => {
  it('stores the number and loads a station only when another one is opened [STN-01]', async () => {
    const { server, router, queryClient } = await openPage();
    expect(lastStation('real')).toBe('F1400');
    await router.navigate('/map');
    await pass();
    await router.navigate('/station/F1400');
    await pass();
    expect(server.times(stationCall)).toBe(1);
    server.answers['GET /api/station/F7'] = aStation({ number: 'F7' });
    await router.navigate('/station/F7');
    await pass();
    expect(server.times('GET /api/station/F7')).toBe(1);
    expect(lastStation('real')).toBe('F7');
    queryClient.clear();
  });

  it.each([
    ['a 500', new RefusedAnswer(500, { message: 'Server Error' })],
    [
      'silent prices',
      new RefusedAnswer(502, { message: 'pricing service did not respond', code: 'pricing_unavailable' }),
    ],
  ])(
    'tries three times on %s, then suggests to try later and redirects to the map [STN-02] [STN-03]',
    async (_, no) => {
      const { server, router } = await openPage(no);
      await pass(5000);
      expect(server.times(stationCall)).toBe(3);
      expect(popupText()).toEqual(['Сервіс зараз не відповідає. Спробуйте трохи згодом.']);
      expect(router.state.location.pathname).toBe('/map');
    },
  );

  it('shows the station when a later attempt succeeds [STN-02]', async () => {
    let failures = 2;
    const { server } = await openPage(() => (failures-- > 0 ? new RefusedAnswer(500) : aStation()));
    await pass(5000);
    expect(screen.getByRole('heading', { name: 'F1400' })).toBeTruthy();
    expect(server.times(stationCall)).toBe(3);
  });

  it('shows the 404 page on anything else, without a retry [STN-04]', async () => {
    const { server, router } = await openPage(new RefusedAnswer(404, { message: 'Not found', code: 'not_found' }));
    await soon(() => expect(router.state.location.pathname).toBe('/404'));
    expect(server.times(stationCall)).toBe(1);
    // That page names the station.
    expect(router.state.location.state).toEqual({ station: 'F1400', isClosed: false });
  });

  it('opens a number in lower case at its one address', async () => {
    const { router } = await openPage(aStation(), {
      path: '/station/f1400?ref_id=5',
      answers: { 'GET /api/station/f1400': aStation() },
    });
    await soon(() => expect(router.state.location.pathname).toBe('/station/F1400'));
    expect(router.state.location.search).toBe('?ref_id=5');
    await soon(() => expect(screen.getByRole('heading', { name: 'F1400' })).toBeTruthy());
  });

  it('redirects the number of a virtual station to its page, with its referral', async () => {
    const { server, router } = await openPage(new RefusedAnswer(404, { message: 'Not found', code: 'not_found' }), {
      path: '/station/F1400?ref_id=mall',
      virtual: aStation(),
    });
    await soon(() =>
      expect(router.state.location).toMatchObject({ pathname: '/station/v/F1400', search: '?ref_id=mall' }),
    );
    await soon(() => expect(screen.getByRole('heading', { name: 'F1400' })).toBeTruthy());
    expect(server.times(stationCall)).toBe(1);
  });

  it('keeps a virtual station separate from the real one of the same number [STN-05]', async () => {
    const connectors = [aConnector(1, { station_number: 'F1401' }), aConnector(2)];
    const { server, router } = await openPage(aStation({ connectors }), { path: '/station/v/F1400' });
    expect(server.times(stationCall)).toBe(0);
    expect([lastStation('virtual'), lastStation('real')]).toEqual(['F1400', null]);
    // Connectors of several devices, each counted from 1, are distinguished.
    expect(cards()[0]?.textContent).toContain('F1401 · №\u00a01');
    expect(cards()[1]?.textContent).not.toContain('F1401');
    await router.navigate('/station/F1400');
    await pass();
    expect(server.times(stationCall)).toBe(1);
  });
});

describe('the list of connectors', () => {
  it('shows free and ready ones, and all on demand [STN-07] [STN-08]', async () => {
    await openPage();
    expect(cards().map(({ textContent }) => /№\s(\d)/.exec(textContent ?? '')?.[1])).toEqual(['1', '2']);
    fireEvent.click(screen.getByLabelText('Усі · 6'));
    expect(cards()).toHaveLength(6);
  });

  it('has a manual refresh that is locked for 2 s after use [STN-09]', async () => {
    const { server } = await openPage();
    press('Оновити');
    await pass();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Оновити' }).disabled).toBe(true);
    await pass(1900);
    press('Оновити');
    await pass();
    expect(server.times(statesCall)).toBe(1);
    await pass(200);
    press('Оновити');
    await pass();
    expect(server.times(statesCall)).toBe(2);
  });

  it('requests the states every 15 s, and keeps the list when that fails [STN-10] [ERR-19]', async () => {
    const { server } = await openPage();
    await pass(14_900);
    expect(server.times(statesCall)).toBe(0);
    await pass(200);
    expect(server.times(statesCall)).toBe(1);
    server.answers[statesCall] = new RefusedAnswer(500);
    await pass(15_000);
    expect(server.times(statesCall)).toBe(2);
    expect(cards()).toHaveLength(2);
    expect(popupText()).toEqual([]);
  });

  it('requests nothing while the page is hidden or the phone offline, and at once when it is visible again [STN-10]', async () => {
    const { server } = await openPage();
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await pass(60_000);
    expect(server.times(statesCall)).toBe(0);
    visibility.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await pass();
    expect(server.times(statesCall)).toBe(1);

    const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void dispatchEvent(new Event('offline')));
    await pass(60_000);
    expect(server.times(statesCall)).toBe(1);
    expect(screen.getByText(/^Немає зв’язку/)).toBeTruthy();
    network.mockReturnValue(true);
    act(() => void dispatchEvent(new Event('online')));
    await pass();
    expect(server.times(statesCall)).toBe(2);
    vi.restoreAllMocks();
  });

  it('of an offline station is replaced by a message and the link to the map, without requests [STN-11] [STN-15] [CONN-11]', async () => {
    const { server } = await openPage(aStation({ is_online: false, connectors: [] }));
    expect(screen.getByRole('heading', { name: 'Станція F1400 не на зв’язку' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'На мапу' }).getAttribute('href')).toBe('/map');
    await pass(40_000);
    expect(server.times(statesCall)).toBe(0);
  });

  it('shows the name of a connector type and omits unknown types [CONN-02] [CONN-04]', async () => {
    const station = aStation();
    await openPage({ ...station, connectors: [...station.connectors, { ...aConnector(7), type: 'no-such-plug' }] });
    fireEvent.click(screen.getByLabelText('Усі · 6'));
    const text = cards().map(({ textContent }) => textContent);
    for (const name of ['CCS2', 'GB/T DC', 'Type 2', 'NACS', 'CHAdeMO', 'Type 1'])
      expect(text.some((shown) => shown?.includes(name))).toBe(true);
  });

  it('shows broken and unknown ones as offline, prices with 2 decimals, power in kW [CONN-07] [CONST-04] [CONST-05]', async () => {
    await openPage();
    fireEvent.click(screen.getByLabelText('Усі · 6'));
    expect(screen.getAllByText('Не працює')).toHaveLength(2);
    expect(cards()[0]?.textContent).toContain('14,50');
    expect(cards()[0]?.textContent).toMatch(/60\sкВт/);
  });

  it('shows how long a busy one still needs, and its progress [CONN-21] [CONN-22]', async () => {
    await openPage(
      aStation({
        connectors: [
          aConnector(1, { status: 'charging', progress: 64, time_left: 99 * 60 }),
          aConnector(2, { status: 'charging', progress: 100, time_left: 100 * 60 }),
        ],
      }),
    );
    fireEvent.click(screen.getByLabelText('Усі · 2'));
    expect(screen.getByText('ще 99 хв')).toBeTruthy();
    expect(screen.getByText('ще 2 години')).toBeTruthy();
    expect(screen.getAllByRole('progressbar').map((bar) => bar.getAttribute('aria-valuenow'))).toEqual(['64', '100']);
  });

  it.each([
    ['free_parking', 'Повернемо 40\u00a0₴ на баланс'],
    ['solar', 'Енергія сонця'],
  ])('has the banner of %s [STN-16] [STN-17]', async (promo, title) => {
    const reward = { min_energy: wattHours(40_000), amount: kopecks(40_00), has_budget: false, is_used_up: false };
    await openPage(aStation({ promo, reward: promo === 'solar' ? null : reward }));
    expect(screen.getByRole('complementary').textContent).toContain(title);
  });

  it.each([
    [
      'says until when a return with a budget is paid',
      { amount: 25_50, has_budget: true, is_used_up: false },
      'Повернемо 25,50 ₴ на балансЗа зарядку від 40 кВт·год. Паркування безкоштовне.Діє, доки не вичерпано бюджет акції на сьогодні.',
    ],
    [
      'promises no return when the budget of today is used up',
      { amount: 40_00, has_budget: true, is_used_up: true },
      'Паркування безкоштовнеБюджет акції на сьогодні вичерпано: 40 ₴ за зарядку знову повертатимемо завтра.',
    ],
    ['promises no return without a promotion that pays it', null, 'Паркування безкоштовне'],
  ])('%s [ADM-OP-31]', async (_what, terms, shown) => {
    const reward = terms && { ...terms, amount: kopecks(terms.amount), min_energy: wattHours(40_000) };
    await openPage(aStation({ promo: 'free_parking', reward }));
    expect(screen.getByRole('complementary').textContent?.replaceAll('\u00a0', ' ')).toBe(shown);
  });

  it('has no banner for an unknown code', async () => {
    await openPage(aStation({ promo: 'toString' }));
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('flips a discounted price every 2 s, each card 150 ms after the one above [STN-18]', async () => {
    const discount = { old_price: kopecks(16_90) };
    await openPage(aStation({ connectors: [aConnector(1, discount), aConnector(2, discount)] }));
    const shown = () => screen.getAllByTestId('flip').map(({ textContent }) => textContent);
    expect(shown()).toEqual(['14,50', '14,50']);
    await pass(2010);
    expect(shown()).toEqual(['16,90', '14,50']);
    await pass(150);
    expect(shown()).toEqual(['16,90', '16,90']);
    await pass(1900);
    expect(shown()).toEqual(['14,50', '16,90']);
  });
});

describe('choosing a connector', () => {
  it('is not possible for one that is occupied [CONN-09]', async () => {
    await openPage();
    fireEvent.click(screen.getByLabelText('Усі · 6'));
    expect(screen.queryByRole('button', { name: /Type 2/ })).toBeNull();
  });

  it('is done by a press and undone by a second one [CONN-12]', async () => {
    await openPage();
    fireEvent.click(card('GB/T DC'));
    expect(card('GB/T DC').getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(card('GB/T DC'));
    expect(card('GB/T DC').getAttribute('aria-pressed')).toBe('false');
    await pass(6000);
    expect(screen.queryByText('Під’єднайте кабель до авто')).toBeNull();
  });

  it('continues to payment at once when it is ready, and back clears the choice [CONN-14] [CONN-20] [STN-12]', async () => {
    await openPage();
    fireEvent.click(card('CCS2'));
    await pass();
    expect(screen.getByRole('heading', { name: 'Як платитимете?' })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Картка/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Баланс/ })).toBeTruthy();
    press('Назад до роз’ємів');
    await pass(300);
    expect(card('CCS2').getAttribute('aria-pressed')).toBe('false');
  });

  it('continues after 250 ms when it became ready within them [CONN-15]', async () => {
    const { server } = await openPage();
    server.answers[statesCall] = [aConnector(2, { status: 'ready' })];
    fireEvent.click(card('GB/T DC'));
    await pass(240);
    expect(screen.queryByRole('heading', { name: 'Як платитимете?' })).toBeNull();
    await pass(20);
    expect(screen.getByRole('heading', { name: 'Як платитимете?' })).toBeTruthy();
  });

  it('asks to plug in while it is not ready, and continues by itself with the next states [CONN-16]', async () => {
    const { server } = await openPage();
    fireEvent.click(card('GB/T DC'));
    await pass(260);
    expect(screen.getByText('Під’єднайте кабель до авто')).toBeTruthy();
    server.answers[statesCall] = [aConnector(2, { status: 'ready' })];
    await pass(15_000);
    expect(screen.getByRole('heading', { name: 'Як платитимете?' })).toBeTruthy();
  });

  it('continues at once when the server reports that the cable is plugged in', async () => {
    const { server } = await openPage();
    fireEvent.pointerDown(card('GB/T DC'));
    fireEvent.click(card('GB/T DC'));
    await pass(260);
    server.answers[statesCall] = [aConnector(2, { status: 'ready' })];
    live.onMessage();
    await pass(20);
    expect(screen.getByRole('heading', { name: 'Як платитимете?' })).toBeTruthy();
  });

  it('asks to plug in at an entry of the history, so that Back returns to the connectors', async () => {
    const { router, server } = await openPage();
    fireEvent.click(card('GB/T DC'));
    await pass(260);
    expect(screen.getByText('Під’єднайте кабель до авто')).toBeTruthy();
    await router.navigate(-1);
    await pass();
    expect(router.state.location.pathname).toBe('/station/F1400');
    expect(cards()).toHaveLength(2);
    // Once the cable is in, the payment takes the place of the request.
    fireEvent.click(card('GB/T DC'));
    await pass(260);
    server.answers[statesCall] = [aConnector(2, { status: 'ready' })];
    await pass(15_000);
    expect(screen.getByRole('heading', { name: 'Як платитимете?' })).toBeTruthy();
    await router.navigate(-1);
    await pass();
    expect(cards().length).toBeGreaterThan(0);
  });

  it('offers the adapter after 5 s, which continues while the connector is still free [CONN-17] [CONN-19]', async () => {
    await openPage();
    fireEvent.click(card('GB/T DC'));
    await pass(260);
    await pass(4900);
    expect(screen.queryByRole('button', { name: 'Я з адаптером' })).toBeNull();
    await pass(200);
    press('Я з адаптером');
    await pass();
    expect(screen.getByRole('heading', { name: 'Як платитимете?' })).toBeTruthy();
  });

  it('offers no adapter for other connector types [CONN-18]', async () => {
    await openPage(aStation({ connectors: [aConnector(1)] }));
    fireEvent.click(card('CCS2'));
    await pass(260);
    await pass(6000);
    expect(screen.getByText('Під’єднайте кабель до авто')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Я з адаптером' })).toBeNull();
  });
});

describe('the steps', () => {
  const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
  const titles = ['F1400', 'Як платитимете?', 'Скільки зарядити?'];

  it('are entries of the browser’s history: back is one step back, and forward continues', async () => {
    const { router } = await openAmount('Баланс');
    const go = async (delta: number) => {
      await router.navigate(delta);
      await pass();
      return heading();
    };
    expect([heading(), await go(-1), await go(-1)]).toEqual([...titles].reverse());
    expect(router.state.location.pathname).toBe('/station/F1400');
    // The connector is no longer chosen, otherwise going back would lead forward again.
    await pass(1000);
    expect(card('CCS2').getAttribute('aria-pressed')).toBe('false');
    expect([await go(1), await go(1)]).toEqual(titles.slice(1));
    expect(screen.getByText('Невикористане повернеться на баланс одразу після зарядки.')).toBeTruthy();
  });

  it('have back buttons that lead to the same history entries', async () => {
    const { router } = await openAmount('Картка');
    press('Змінити спосіб оплати');
    await pass();
    expect(heading()).toBe('Як платитимете?');
    press('Назад до роз’ємів');
    await pass();
    expect(heading()).toBe('F1400');
    await router.navigate(1);
    await pass();
    expect(heading()).toBe('Як платитимете?');
  });

  it('restore the amount when the driver returns from the bank', async () => {
    const { server, router, unmount } = await openAmount('Картка');
    server.answers[payCall] = { page_url: 'https://bank.example/pay' };
    fireEvent.click(screen.getByLabelText('гривні'));
    type('120');
    await payNow(server);
    const { state } = router.state.location;
    unmount();

    const back = await openPage();
    await back.router.navigate('/station/F1400', { state });
    await pass();
    expect([heading(), amountField().value]).toEqual(['Скільки зарядити?', '120']);
    expect(screen.getByLabelText<HTMLInputElement>('гривні').checked).toBe(true);
  });

  it.each([
    { step: 'amount', connector: 99, method: 'card' },
    { step: 'amount', connector: 1, method: 'stone' },
    'x',
    7,
  ])('start over from a history state that is not ours: %s', async (state) => {
    const { router } = await openPage();
    await router.navigate('/station/F1400', { state });
    await pass();
    expect(heading()).toBe('F1400');
  });

  it('load the status page as soon as the driver is about to pay', async () => {
    const fetchNext = vi.fn(async () => undefined);
    serve({ [stationCall]: aStation(), [statesCall]: aStation().connectors });
    await renderRoutes(
      [{ path: '/station/:station', Component: Page, handle: { fetchNext } }],
      cacheWith({ user: aUser() }),
      '/station/F1400',
    );
    await pass(1000);
    expect(fetchNext).not.toHaveBeenCalled();
    fireEvent.click(card('CCS2'));
    await pass();
    expect(fetchNext).toHaveBeenCalledOnce();
  });
});
