import { kopecks, watts } from '@fpay/contract/money';
import type { Connector, StationPage } from '@fpay/contract/stations';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaveFor } from '../../api/leave.ts';
import { aGuest, aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { pass, RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { accountQueries } from '../account/queries.ts';
import { lastStation } from './last-station.ts';
import { Page } from './station-page.tsx';
import { Page as VirtualPage } from './virtual-station-page.tsx';

vi.mock('../../api/leave.ts', () => ({ leaveFor: vi.fn() }));

const aConnector = (id: number, rest: Partial<Connector> = {}): Connector => ({
  id,
  api_address: String(id),
  charging_station_id: 1,
  status: 'free',
  progress: null,
  time_left: null,
  type: 'ccstype2',
  has_cable: true,
  power: watts(60_000),
  price: kopecks(14_50),
  old_price: null,
  discount_string: null,
  ...rest,
});

const aStation = (rest: Partial<StationPage> = {}): StationPage => ({
  id: 1,
  number: 'F1400',
  address: 'Slobozhanskyi Ave 31D',
  address_uk: 'просп. Слобожанський, 31Д',
  lat: 48.5,
  lon: 35,
  is_online: true,
  promo: null,
  note: null,
  opening_hours: null,
  maintenance: [],
  connectors: [
    aConnector(1, { status: 'ready' }),
    aConnector(2, { type: 'gbtdc' }),
    aConnector(3, { type: 'type2', status: 'occupied' }),
    aConnector(4, { type: 'nacs', status: 'oos' }),
    aConnector(5, { type: 'chademo', status: 'unknown' }),
    aConnector(6, { type: 'type1', status: 'charging', progress: 64, time_left: 1500 }),
  ],
  ...rest,
});

const stationCall = 'GET /api/station/F1400';
const statesCall = 'GET /api/connectors/F1400';
const payCall = 'POST /api/payment/new';

// With a fake clock nothing is loaded lazily, so the later steps are imported before.
beforeAll(async () => void (await Promise.all([import('./later-steps.ts'), import('./top-up-note.tsx')])));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.mocked(leaveFor).mockReset();
});

async function openPage(
  station: unknown = aStation(),
  {
    user = aUser(),
    path = '/station/F1400',
    queryClient = cacheWith({ user }),
    virtual = station,
    answers = {} as Record<string, unknown>,
  } = {},
) {
  const server = serve({
    [stationCall]: typeof station === 'function' ? station : () => station,
    'GET /api/station/v/F1400': () => virtual,
    [statesCall]: () => (station as StationPage).connectors,
    'GET /api/user': () => user,
    ...answers,
  });
  const drawn = await renderRoutes(
    [
      { path: '/station/:station', Component: Page },
      { path: '/station/v/:station', Component: VirtualPage },
      ...['/map', '/404', '/balance', '/reg', '/status/:id'].map((other) => ({ path: other, element: <p>{other}</p> })),
    ],
    queryClient,
    path,
  );
  await pass();
  return { server, queryClient, ...drawn };
}

const cards = () => screen.getAllByRole('listitem').filter((item) => /№/.test(item.textContent ?? ''));
const card = (name: string) => screen.getByRole('button', { name: new RegExp(name) });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const popupText = () => usePopups.getState().waiting.map((popup) => popup.kind === 'message' && popup.message);

async function openAmount(method: 'Картка' | 'Баланс', user = aUser()) {
  const page = await openPage(aStation(), { user });
  fireEvent.click(card('CCS2'));
  await pass();
  press(new RegExp(`^${method}`));
  await pass();
  return page;
}
const amountField = () => screen.getByLabelText<HTMLInputElement>('Сума');
const type = (value: string) => fireEvent.change(amountField(), { target: { value } });
/** Waits for several turns of the real event loop without moving the test's clock. */
const soon = (check: () => void) =>
  vi.waitFor(
    async () => {
      await pass();
      check();
    },
    { timeout: 4000, interval: 5 },
  );
const payButton = () => screen.getByRole('button', { name: /^Сплатити/ });
/** Signing, and loading the texts of a refusal, use the real clock, so `soon` waits for the result. */
async function payNow(server: ReturnType<typeof serve>, name: string | RegExp = /^Сплатити/) {
  const before = server.times(payCall);
  press(name);
  vi.useRealTimers();
  await vi.waitFor(() => expect(server.times(payCall)).toBe(before + 1), { timeout: 4000, interval: 5 });
  vi.useFakeTimers();
  await pass(10);
}

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
    expect(cards()[0]?.textContent).toContain('F1401 · № 1');
    expect(cards()[1]?.textContent).not.toContain('F1401');
    await router.navigate('/station/F1400');
    await pass();
    expect(server.times(stationCall)).toBe(1);
  });
});

describe('the list of connectors', () => {
  it('shows free and ready ones, and all on demand [STN-07] [STN-08]', async () => {
    await openPage();
    expect(cards().map(({ textContent }) => /№ \d/.exec(textContent ?? '')?.[0])).toEqual(['№ 1', '№ 2']);
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
    await openPage({ ...station, connectors: [...station.connectors, { ...aConnector(7), type: 'mcs' }] });
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
    ['free_parking', 'Повернемо 40 ₴ на баланс'],
    ['solar', 'Енергія сонця'],
  ])('has the banner of %s [STN-16] [STN-17]', async (promo, title) => {
    await openPage(aStation({ promo }));
    expect(screen.getByRole('complementary').textContent).toContain(title);
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

  it('offers the adapter after 5 s, which continues while the connector is still free [CONN-17] [CONN-19]', async () => {
    await openPage();
    fireEvent.click(card('GB/T DC'));
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

describe('a free connector', () => {
  async function openFree() {
    const page = await openPage(aStation({ connectors: [aConnector(1, { status: 'ready', price: kopecks(0) })] }));
    fireEvent.click(card('CCS2'));
    await pass();
    return page;
  }

  it('only asks for confirmation, with a back button [CONN-13] [STN-13]', async () => {
    await openFree();
    expect(screen.getByRole('heading', { name: 'Ця зарядка безкоштовна' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Картка/ })).toBeNull();
    press('Назад');
    await pass(300);
    expect(card('CCS2')).toBeTruthy();
  });

  it('sends amount 0, card and UAH, and accepts only an answer with the status page [PAY-14] [PAY-15]', async () => {
    const { server, router } = await openFree();
    server.answers[payCall] = { page_url: 'https://bank.example/' };
    await payNow(server, 'Почати зарядку');
    expect(server.bodyOf(payCall)).toMatchObject({ amount: 0, payment_type: 'card', target: 'uah', connector: 1 });
    await soon(() => expect(popupText()).toEqual(['Як ви взагалі надіслали цей запит?']));
    expect(leaveFor).not.toHaveBeenCalled();
    await soon(() => expect(screen.getByRole('button', { name: 'Почати зарядку' })).toBeTruthy());
    server.answers[payCall] = { page_url: 's:77' };
    await payNow(server, 'Почати зарядку');
    await soon(() => expect(router.state.location.pathname).toBe('/status/77'));
  });
});

describe('the amount', () => {
  const presets = () =>
    screen.getAllByRole('button', { pressed: false }).concat(screen.getAllByRole('button', { pressed: true }));
  const numbers = () =>
    presets()
      .map(({ textContent }) => Number(textContent))
      .sort((a, b) => a - b);

  it('starts with 10 kWh of 10, 25, 50, 100, or 50 UAH of 50, 100, 250, 500 [PAY-01] [PAY-02] [STN-14]', async () => {
    await openAmount('Картка');
    expect([amountField().value, numbers()]).toEqual(['10', [10, 25, 50, 100]]);
    fireEvent.click(screen.getByLabelText('гривні'));
    expect([amountField().value, numbers()]).toEqual(['50', [50, 100, 250, 500]]);
  });

  it('that is invalid shows an error and cannot be paid [PAY-03] [VAL-19] [VAL-20]', async () => {
    await openAmount('Картка');
    const pay = () => screen.getByRole<HTMLButtonElement>('button', { name: /^(Сплатити|Введіть)/ });
    for (const [unit, bad, good] of [
      ['кВт·год', '201', '200'],
      ['гривні', '3001', '3000'],
    ] as const) {
      fireEvent.click(screen.getByRole('radio', { name: unit }));
      type(bad);
      expect(screen.getByText(/Неправильна сума/)).toBeTruthy();
      expect(pay().disabled).toBe(true);
      type(good);
      expect(pay().disabled).toBe(false);
    }
  });

  it('above the balance cannot be paid from it and links to a top-up; a card is not affected [PAY-06] [PAY-07] [PAY-08] [PAY-09]', async () => {
    await openAmount('Баланс', aUser({ balance: kopecks(145_00) }));
    const topUp = () => screen.queryByRole('link', { name: 'Поповнити баланс' });
    expect(topUp()).toBeNull();
    type('10.01');
    expect(screen.getByRole('alert').textContent).toBe('Недостатньо коштів на балансі');
    expect(topUp()?.getAttribute('href')).toBe('/balance');
    fireEvent.click(screen.getByLabelText('гривні'));
    type('145');
    expect(topUp()).toBeNull();
    type('145.01');
    expect(topUp()).toBeTruthy();
    press('Змінити спосіб оплати');
    await pass();
    press(/^Картка/);
    await pass();
    type('200');
    expect(topUp()).toBeNull();
  });

  it('cannot be paid from the balance by a guest, who gets the link to sign up [PAY-04] [PAY-05]', async () => {
    await openAmount('Баланс', aGuest());
    expect(screen.getByText('Доступно лише зареєстрованим користувачам')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Зареєструватися' }).getAttribute('href')).toBe('/reg');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Сплатити/ }).disabled).toBe(true);
  });

  it('is sent as typed, and locks the form until the bank’s page opens [PAY-03] [PAY-11]', async () => {
    const { server } = await openAmount('Картка');
    server.answers[payCall] = { page_url: 'https://bank.example/pay' };
    type('12,5');
    await payNow(server);
    expect(server.bodyOf(payCall)).toMatchObject({ amount: '12,5', payment_type: 'card', target: 'kwh', connector: 1 });
    await soon(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.example/pay'));
    expect(screen.getByRole('button', { name: 'Зачекайте' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('needs another confirmation when the price has changed since it was shown, with the new price', async () => {
    const { server } = await openAmount('Картка');
    server.answers[payCall] = new RefusedAnswer(409, {
      message: 'The price has changed',
      code: 'price_changed',
      price: 20_00,
    });
    type('10');
    expect(payButton().textContent).toMatch(/145/);
    await payNow(server);
    expect(server.bodyOf(payCall)).toMatchObject({ amount: '10', price: 14_50 });
    await soon(() => expect(screen.getByText('Ціна змінилася. Перевірте її й підтвердьте ще раз.')).toBeTruthy());
    await soon(() => expect(payButton().textContent).toMatch(/200/));
    expect(leaveFor).not.toHaveBeenCalled();
    server.answers[payCall] = { page_url: 'https://bank.example/pay' };
    await payNow(server);
    expect(server.sent.at(-1)?.body).toMatchObject({ amount: '10', price: 20_00 });
    await soon(() => expect(leaveFor).toHaveBeenCalledWith('https://bank.example/pay'));
  });

  it('paid from the balance leads to the status page [PAY-12]', async () => {
    const { server, router } = await openAmount('Баланс');
    server.answers[payCall] = { page_url: 's:480215' };
    await payNow(server);
    await soon(() => expect(router.state.location.pathname).toBe('/status/480215'));
  });

  it('answered with anything else shows an alert and unlocks the form [PAY-13]', async () => {
    const { server } = await openAmount('Картка');
    server.answers[payCall] = { page_url: 'x' };
    await payNow(server);
    await soon(() => expect(popupText()).toEqual(['Як ви взагалі надіслали цей запит?']));
    await soon(() => expect(payButton().getAttribute('aria-disabled')).toBeNull());
  });

  it('that is refused unlocks the form without an alert [ERR-22]', async () => {
    const { server } = await openAmount('Картка');
    server.answers[payCall] = new RefusedAnswer(409, { message: 'The connector is taken', code: 'connector_taken' });
    await payNow(server);
    await soon(() => expect(payButton().getAttribute('aria-disabled')).toBeNull());
    expect(server.times(payCall)).toBe(1);
    expect(popupText()).toEqual([]);
    expect(amountField().value).toBe('10');
  });

  it('includes the ref_id of the address, or the stored one [PAY-10]', async () => {
    localStorage.setItem('ref_id', 'kept');
    const first = await openAmount('Картка');
    first.server.answers[payCall] = { page_url: 's:1' };
    await payNow(first.server);
    expect(first.server.bodyOf(payCall)?.ref_id).toBe('kept');
    first.unmount();

    const second = await openPage(aStation(), { path: '/station/F1400?ref_id=given' });
    second.server.answers[payCall] = { page_url: 's:1' };
    fireEvent.click(card('CCS2'));
    await pass();
    press(/^Картка/);
    await pass();
    await payNow(second.server);
    expect(second.server.bodyOf(payCall)?.ref_id).toBe('given');
    expect(localStorage.getItem('ref_id')).toBe('given');
  });
});

describe('a driver who topped up before a charge', () => {
  const topUpCall = 'GET /api/user/balance/buy';
  const topUp = (payment_status: string | null, page_url: string | null = null) => ({
    amount: 250_00,
    payment_status,
    page_url,
  });
  const path = '/station/F1400?ref_id=mall&from-bank';
  const openAfter = (answer: unknown) => openPage(aStation(), { path, answers: { [topUpCall]: answer } });
  const note = () => screen.getByText(/250,00/).textContent?.replaceAll('\u00a0', ' ');

  it('sees at the station that the bank has not answered yet, and then that the money has arrived', async () => {
    const { server, router, queryClient } = await openAfter(topUp(null, 'https://bank.example/pay/1'));
    await soon(() => expect(note()).toBe('Банк ще підтверджує поповнення на 250,00 ₴'));
    expect(screen.getByRole('link', { name: 'До банку' }).getAttribute('href')).toBe('https://bank.example/pay/1');
    server.answers[topUpCall] = topUp('success');
    await pass(2000);
    await soon(() => expect(note()).toBe('250,00 ₴ уже на балансі'));
    // The balance has changed.
    expect(queryClient.getQueryState(accountQueries.user().queryKey)?.isInvalidated).toBe(true);
    // A later reload shows nothing; the referral stays.
    await soon(() => expect(router.state.location.search).toBe('?ref_id=mall'));
  });

  it.each(['failed', 'reversed'])('sees that the top-up failed: %s', async (outcome) => {
    await openAfter(topUp(outcome));
    await soon(() => expect(screen.getByText('Поповнити не вдалося, гроші лишилися на картці')).toBeTruthy());
  });

  it('is the only one for whom the top-up is requested', async () => {
    const { server } = await openPage(aStation(), { answers: { [topUpCall]: topUp('success') } });
    expect(server.times(topUpCall)).toBe(0);
  });
});
