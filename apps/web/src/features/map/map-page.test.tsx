import { everyConnectorType } from '@fpay/contract/connectors';
import { kopecks } from '@fpay/contract/money';
import type { Promotion, Station } from '@fpay/contract/stations';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RootShell } from '../../app/shell/root-shell.tsx';
import { aGuest, aUser, someSettings } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import type { Marker } from './atlas/markers.ts';
import type { MapOptions, StationMap } from './canvas/station-map.ts';
import { Page } from './map-page.tsx';
import { aPlace, aStationInSheet, someChunks } from './testing/stations.ts';

/** The map library and its worker do not exist in a test; this mock records the page's calls and answers at once. */
const fake = vi.hoisted(() => ({
  options: null as unknown,
  shown: [] as unknown[],
  moves: [] as unknown[],
  satellite: [] as unknown[],
  answers: null as unknown,
}));
vi.mock('./atlas/remote.ts', async () => {
  const { createAnswers } = await import('./atlas/answers.ts');
  return {
    atlas: () => ({
      async ask(name: string, ask: object) {
        fake.answers ??= createAnswers();
        return (fake.answers as Record<string, (ask: object) => unknown>)[name]?.(ask);
      },
    }),
  };
});
vi.mock('./canvas/open-layers.ts', () => ({
  createStationMap(options: MapOptions): StationMap {
    fake.options = options;
    const box = [34.7, 48.2, 35.4, 48.7] as const;
    queueMicrotask(() =>
      options.listener.onMove({ view: options.view, screen: { box, zoom: options.view.zoom } }, true),
    );
    options.listener.onBase({ attribution: '© Somebody', hasLostStreets: false });
    return {
      show: (markers) => {
        fake.shown = [...markers];
      },
      moveTo: (place, zoom) => void fake.moves.push([place.lat, place.lon, zoom]),
      moveToAll: (places) => void fake.moves.push(places.length),
      showSatellite: (satellite) => void fake.satellite.push(satellite?.url ?? null),
      select: () => undefined,
      showPosition: () => undefined,
      zoomBy: () => undefined,
      setStyle: () => undefined,
      pad: () => undefined,
      close: () => undefined,
    };
  },
}));

vi.setConfig({ testTimeout: 30_000 });

const mapCall = 'GET /api/map/stations';
const chunkCall = 'POST /api/map/get-chunk';

interface Scene {
  user?: ReturnType<typeof aUser> | null;
  answers?: Record<string, unknown>;
  promotions?: Promotion[];
  path?: string;
  settings?: typeof someSettings;
}

async function openMap({
  user = null,
  answers = {},
  promotions = [],
  path = '/map',
  settings = someSettings,
}: Scene = {}) {
  const bytes = new TextEncoder().encode(JSON.stringify(someChunks));
  const server = serve({
    'GET /api/promotions': promotions,
    [chunkCall]: aPlace(aStationInSheet('F1403', ['free'])),
    ...answers,
  });
  const plain = globalThis.fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (!url.startsWith('/api/map/stations')) return plain(url, init);
    // The page has the map of an earlier test and would request changes only.
    if (mapCall in answers) return plain('/api/map/stations', init);
    return {
      ok: true,
      status: 200,
      headers: new Headers({ 'x-map-version': '7' }),
      arrayBuffer: async () => bytes.buffer.slice(0),
    };
  });
  const handle = { header: 'map' };
  const pages = ['/', '/map'].map((address) => ({ path: address, handle, Component: Page }));
  const elsewhere = ['/qr', '/auth', '/station/:number'].map((address) => ({
    path: address,
    element: <h1>{address}</h1>,
  }));
  const drawn = await renderRoutes(
    [{ Component: RootShell, children: [...pages, ...elsewhere] }],
    cacheWith({ user, settings }),
    path,
  );
  return { server, ...drawn };
}

const shown = () => fake.shown as Marker[];
const messages = () => usePopups.getState().waiting.map((popup) => (popup.kind === 'message' ? popup.message : null));
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

async function pressMarker(lat: number) {
  await waitFor(() => expect(shown().some((marker) => marker.lat === lat)).toBe(true));
  const marker = shown().find((one) => one.lat === lat);
  if (marker) (fake.options as MapOptions).listener.onPress(marker);
  return screen.findByRole('dialog');
}

beforeEach(() => {
  Object.assign(fake, { options: null, shown: [], moves: [], satellite: [], answers: null });
});
const ownNavigator = globalThis.navigator;
afterEach(() => void vi.stubGlobal('navigator', ownNavigator));

describe('the map home', () => {
  it.each(['/', '/map'])('is at %s, around Dnipro at zoom eleven [MAP-01] [MAP-15] [MAP-16]', async (path) => {
    await openMap({ path });
    await waitFor(() => expect(fake.options).not.toBeNull());
    const { lat, lon, zoom } = (fake.options as MapOptions).view;
    // The centre of the city, to a kilometre.
    expect([lat.toFixed(2), lon.toFixed(2), zoom]).toEqual(['48.46', '35.05', 11]);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Мапа станцій');
    await waitFor(() => expect(shown()).toHaveLength(2));
  });

  it.each([
    ['a visitor', null, '/auth'],
    ['a guest', aGuest(), '/auth'],
    ['a registered driver', aUser(), null],
  ])('offers %s to sign in only if they have no account [MAP-09] [ROLE-13]', async (_, user, target) => {
    await openMap({ user });
    await waitFor(() => expect(shown()).toHaveLength(2));
    expect(screen.queryByRole('link', { name: 'Увійти' })?.getAttribute('href') ?? null).toBe(target);
  });

  it('links to the QR scanner [MAP-08]', async () => {
    await openMap();
    expect(screen.getByRole('link', { name: 'Сканувати QR' }).getAttribute('href')).toBe('/qr');
  });

  it('has a menu, a language switcher and a legend [MAP-06]', async () => {
    await openMap();
    expect(screen.getByRole('combobox', { name: 'Мова' })).toBeTruthy();
    press('Відкрити меню');
    expect(await screen.findByRole('dialog', { name: 'Меню' })).toBeTruthy();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    press('Що означають позначки');
    const legend = await screen.findByRole('dialog', { name: 'Позначки на мапі' });
    expect(
      within(legend)
        .getAllByRole('listitem')
        .slice(0, 8)
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Є вільні роз’єми',
      'Усі роз’єми зайняті',
      'Частина роз’ємів не працює',
      'Не працює',
      'Кілька станцій поруч',
      'Знижка на зарядку',
      'Живиться від сонця',
      'Подія або акція',
    ]);
  });

  it('has no satellite button without a provider [MAP-07]', async () => {
    await openMap();
    expect(screen.queryByRole('button', { name: 'Супутник' })).toBeNull();
  });

  it('switches to the satellite map and back when there is a provider [MAP-07]', async () => {
    const satellite = {
      kind: 'xyz',
      url: 'https://sat.example/{z}/{x}/{y}',
      attribution: '',
      maxZoom: 17,
      tileSize: 256,
    } as const;
    await openMap({ settings: { ...someSettings, map: { ...someSettings.map, satellite } } });
    await waitFor(() => expect(fake.satellite).toEqual([null]));
    press('Супутник');
    press('Супутник');
    expect(fake.satellite).toEqual([null, satellite.url, null]);
  });

  it('shows the attribution of the visible map [MAP-23]', async () => {
    await openMap();
    expect(await screen.findByText('© Somebody')).toBeTruthy();
  });

  it('shows why the stations could not be loaded, and offers a retry [ERR-20]', async () => {
    await openMap({ answers: { [mapCall]: new RefusedAnswer(500, { message: 'Server error' }) } });
    await waitFor(() => expect(messages()).toEqual(['Помилка на сервері. Спробуйте трохи згодом.']));
    expect(screen.getByRole('button', { name: 'Завантажити станції' })).toBeTruthy();
  });

  it('shows a lost network quietly, and what changed while it was lost [ERR-20]', async () => {
    await openMap({ answers: { [mapCall]: () => Promise.reject(new TypeError('No network')) } });
    const words = 'Немає зв’язку. Станції з’являться, щойно він повернеться.';
    expect(await screen.findByText(words, {}, { timeout: 10_000 })).toBeTruthy();
    expect(messages()).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Завантажити станції' })).toBeNull();
  });

  it.each([
    ['where it stands, when that is allowed', 'granted', { latitude: 50.45, longitude: 30.52 }, [[50.45, 30.52, 11]]],
    ['nowhere else without permission', 'prompt', { latitude: 50.45, longitude: 30.52 }, []],
    ['nowhere else when that is beyond the map', 'granted', { latitude: 40.7, longitude: -74 }, []],
  ])('asks the device for its position: %s [MAP-16]', async (_, state, coords, moves) => {
    const asked = vi.fn((found: (position: unknown) => void) => found({ coords }));
    vi.stubGlobal('navigator', {
      permissions: { query: async () => ({ state }) },
      geolocation: { getCurrentPosition: asked },
    });
    await openMap();
    await waitFor(() => expect(shown()).toHaveLength(2));
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(state === 'granted' ? 1 : 0));
    await waitFor(() => expect(fake.moves).toEqual(moves));
  });
});

describe('the filter', () => {
  it('filters the markers by the chosen connector types and is stored [MAP-03]', async () => {
    await openMap();
    await waitFor(() => expect(shown()).toHaveLength(2));
    press('Type 2');
    await waitFor(() => expect(shown().map(({ lat }) => lat)).toEqual([48.45]));
    expect(screen.getByRole('button', { name: 'Type 2' }).getAttribute('aria-pressed')).toBe('true');
    expect(localStorage.getItem('fpay.map.types')).toBe('type2');
    press('Type 2');
    await waitFor(() => expect(shown()).toHaveLength(2));
  });

  it('lists all types with their stations, and can be reset [MAP-03]', async () => {
    await openMap();
    await waitFor(() => expect(shown()).toHaveLength(2));
    press('CCS2');
    press('Усі типи роз’ємів');
    const sheet = await screen.findByRole('dialog', { name: 'Типи роз’ємів' });
    await waitFor(() => expect(within(sheet).getByRole('button', { name: 'Показати 1 станцію' })).toBeTruthy());
    const tiles = within(sheet).getAllByRole('listitem');
    expect([tiles.length, tiles[0]?.textContent]).toEqual([everyConnectorType.length, 'CCS21 станція']);
    fireEvent.click(within(sheet).getByRole('button', { name: 'Скинути' }));
    await waitFor(() => expect(within(sheet).getByRole('button', { name: 'Показати 2 станції' })).toBeTruthy());
  });
});

describe('search', () => {
  async function search(typed: string) {
    await openMap();
    await waitFor(() => expect(shown()).toHaveLength(2));
    press('Станція або адреса');
    fireEvent.change(await screen.findByRole('textbox', { name: 'Станція або адреса' }), { target: { value: typed } });
  }

  it('finds by number or address and moves to the station [MAP-04]', async () => {
    await search('слобожан');
    expect(await screen.findAllByRole('button', { name: /^F1\d+просп/ })).toHaveLength(2);
    press(/^F1403/);
    await waitFor(() => expect(fake.moves).toEqual([[48.51, 35.06, 15]]));
    expect(await screen.findByRole('dialog', { name: 'просп. Слобожанський, 31' })).toBeTruthy();
  });

  it('shows that no stations were found, with the ways on: another text, or the code on the station [ERR-39]', async () => {
    await search('F9999');
    expect(await screen.findByText('Станцій не знайдено')).toBeTruthy();
    expect(screen.getByText('Перевірте номер чи адресу або відскануйте код на станції.')).toBeTruthy();
    expect(within(screen.getByRole('dialog')).getByRole('link', { name: 'Сканувати QR' }).getAttribute('href')).toBe(
      '/qr',
    );
    fireEvent.click(screen.getByText('Очистити'));
    await screen.findByText('Введіть номер станції, як-от F1403, або частину адреси');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Станція або адреса' }).value).toBe('');
  });
});

describe("a marker's sheet", () => {
  const stations = [
    aStationInSheet('F1400', ['free', 'charging']),
    aStationInSheet('F1405', ['oos', 'unknown']),
    aStationInSheet('F1406', [], false),
    aStationInSheet('F1403', ['ready', 'occupied']),
  ];

  it('lists its stations under the address, offline ones last and the rest by descending number [MAP-10] [MAP-14]', async () => {
    await openMap({ answers: { [chunkCall]: aPlace(...stations) } });
    const sheet = await pressMarker(48.51);
    expect(sheet.getAttribute('aria-labelledby')).toBeTruthy();
    await waitFor(() => expect(within(sheet).getAllByRole('heading', { level: 3 })).toHaveLength(4));
    expect(within(sheet).getByRole('heading', { level: 2 }).textContent).toBe('просп. Слобожанський, 31');
    expect(
      within(sheet)
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual(['F1403', 'F1400', 'F1406', 'F1405']);
  });

  it('has for each station its connectors, a link to payment and a route to the place [MAP-11] [MAP-12]', async () => {
    await openMap({ answers: { [chunkCall]: aPlace(...stations) } });
    const sheet = await pressMarker(48.51);
    const station = await within(sheet).findByRole('listitem', { name: 'F1400' });
    expect(
      within(station)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['CCS2 · 60\u00a0кВтВільний12,90₴/кВт·год', 'CCS2 · 60\u00a0кВтЗаряджає12,90₴/кВт·год']);
    expect(within(station).getByRole('link', { name: 'До оплати' }).getAttribute('href')).toBe('/station/F1400');
    const route = within(station).getByRole('link', { name: 'Маршрут' });
    expect([route.getAttribute('href'), route.getAttribute('target')]).toEqual([
      'https://www.google.com/maps/search/?api=1&query=48.51,35.06',
      '_blank',
    ]);
  });

  it('shows a ready connector as occupied without a link; a free one opens the station [CONN-08] [CONN-10]', async () => {
    const { router } = await openMap({ answers: { [chunkCall]: aPlace(...stations) } });
    const sheet = await pressMarker(48.51);
    const taken = await within(sheet).findByRole('listitem', { name: 'F1403' });
    const rows = within(taken).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent?.includes('Зайнятий'))).toEqual([true, true]);
    for (const row of rows) fireEvent.click(row);
    expect(within(taken).queryAllByRole('link', { name: /CCS2/ })).toEqual([]);
    expect(router.state.location.pathname).toBe('/map');
    const free = within(within(sheet).getByRole('listitem', { name: 'F1400' })).getByRole('link', { name: /Вільний/ });
    expect(free.getAttribute('href')).toBe('/station/F1400');
  });

  it('shows a discount beside the usual price', async () => {
    const [station] = stations;
    const connectors = station?.connectors.map((connector) => ({
      ...connector,
      old_price: kopecks(15_18),
      discount_string: '−15 %',
    }));
    const discounted = { ...(station as Station), connectors: connectors ?? [] };
    await openMap({ answers: { [chunkCall]: aPlace(discounted) } });
    const sheet = await pressMarker(48.51);
    const rows = await within(sheet).findAllByText('−15 %');
    expect(rows[0]?.closest('li')?.textContent).toBe('CCS2 · 60\u00a0кВтВільний−15 %Звичайна ціна 15,1812,90₴/кВт·год');
  });

  it('highlights the station that was found, among the others of its place', async () => {
    await openMap({ answers: { [chunkCall]: aPlace(...stations) } });
    await waitFor(() => expect(shown()).toHaveLength(2));
    press('Станція або адреса');
    fireEvent.change(await screen.findByRole('textbox', { name: 'Станція або адреса' }), {
      target: { value: 'F1403' },
    });
    fireEvent.click(await screen.findByRole('button', { name: /^F1403/ }));
    const sheet = await screen.findByRole('dialog', { name: 'просп. Слобожанський, 31' });
    await waitFor(() => expect(within(sheet).getAllByRole('heading', { level: 3 })).toHaveLength(4));
    const current = within(sheet).getAllByRole('listitem', { current: true });
    expect(current.map((item) => item.getAttribute('aria-label'))).toEqual(['F1403']);
  });

  it('shows a message when the stations are gone [MAP-13]', async () => {
    await openMap({ answers: { [chunkCall]: { stations: [] } } });
    await pressMarker(48.51);
    await waitFor(() => expect(messages()).toEqual(['Тут уже немає станцій. Оновіть мапу та оберіть іншу позначку.']));
    // The sheet is closed behind the message too.
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /Слобожанський/, hidden: true })).toBeNull());
  });

  it("shows the map's data without a message when the prices cannot be loaded [ERR-21]", async () => {
    const { server } = await openMap({ answers: { [chunkCall]: new RefusedAnswer(500) } });
    const sheet = await pressMarker(48.51);
    await waitFor(() => expect(server.times(chunkCall)).toBe(1));
    await waitFor(() => expect(sheet.querySelector('[aria-busy="false"]')).toBeTruthy());
    expect(messages()).toEqual([]);
    expect(within(sheet).getByRole('link', { name: 'До оплати' }).getAttribute('href')).toBe('/station/F1403');
  });
});

describe('on a wide screen', () => {
  const narrow = globalThis.matchMedia;
  beforeEach(() => {
    const media = (query: string) => ({
      matches: query.includes('64rem'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    });
    vi.stubGlobal('matchMedia', media);
  });
  // Other tests are narrow; the stub of the setup stays in use for them.
  afterEach(
    () =>
      void vi.stubGlobal(
        'matchMedia',
        narrow ?? (() => ({ matches: false, addEventListener() {}, removeEventListener() {} })),
      ),
  );

  it('a panel beside the map has the list, the search, and the chosen station with its prices', async () => {
    await openMap({ answers: { [chunkCall]: aPlace(aStationInSheet('F1403', ['free'])) } });
    const list = await screen.findByRole('list', { name: 'Станції на мапі' });
    // Not before the stations are known.
    expect(screen.queryByText(/Тут станцій немає/)).toBeNull();
    await waitFor(() => expect(within(list).getAllByRole('button')).toHaveLength(2));
    fireEvent.change(screen.getByRole('textbox', { name: 'Станція або адреса' }), { target: { value: 'F1403' } });
    fireEvent.click(await screen.findByRole('button', { name: /^F1403/ }));
    const detail = await screen.findByRole('region', { name: 'просп. Слобожанський, 31' });
    expect(await within(detail).findByText('12,90')).toBeTruthy();
    expect(within(detail).getByRole('link', { name: 'До оплати' }).getAttribute('href')).toBe('/station/F1403');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(fake.moves).toEqual([[48.51, 35.06, 15]]);
    fireEvent.click(within(detail).getByRole('button', { name: 'Закрити' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: /Слобожанський/ })).toBeNull());
  });
});

describe('the list of stations', () => {
  it('gives access to them without the map, with a text for each marker [MAP-20] [MAP-21]', async () => {
    await openMap({
      promotions: [
        { code: 'discount', kind: 'marker', station_number: 'F1403' },
        { code: 'sun', kind: 'marker', station_number: 'F1019' },
      ],
    });
    await waitFor(() => expect(shown()).toHaveLength(2));
    press('Список станцій');
    const list = await screen.findByRole('list', { name: 'Станції на мапі' });
    await waitFor(() =>
      expect(
        within(list)
          .getAllByRole('button')
          .map(({ textContent }) => textContent),
      ).toEqual([
        'F1019просп. Слобожанський, 31Живиться від сонця2,2\u00a0кмусі зайняті',
        'F1403просп. Слобожанський, 31Знижка на зарядку6,7\u00a0км1 вільний',
      ]),
    );
    fireEvent.click(within(list).getByRole('button', { name: /F1019/ }));
    await waitFor(() => expect(fake.moves).toEqual([[48.45, 35.02, 15]]));
    expect(await screen.findByRole('dialog', { name: /Слобожанський/ })).toBeTruthy();
  });
});
