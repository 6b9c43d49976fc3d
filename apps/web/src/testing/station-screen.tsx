import { kopecks, watts } from '@fpay/contract/money';
import type { Connector, StationPage } from '@fpay/contract/stations';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { leaveFor } from '../api/leave.ts';
import { connectRealtime } from '../api/realtime.ts';
import { Page } from '../features/stations/station-page.tsx';
import { Page as VirtualPage } from '../features/stations/virtual-station-page.tsx';
import { usePopups } from '../ui/overlay/popups.ts';
import { aUser } from './people.ts';
import { cacheWith, renderRoutes } from './render.tsx';
import { pass, serve } from './server.ts';

/**
 * A station's page with a server of the test. A test file that uses it replaces `api/leave.ts` and `api/realtime.ts`, which
 * cannot be replaced from here.
 */
export const aConnector = (id: number, rest: Partial<Connector> = {}): Connector => ({
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

export const aStation = (rest: Partial<StationPage> = {}): StationPage => ({
  id: 1,
  number: 'F1400',
  address: 'Slobozhanskyi Ave 31D',
  address_uk: 'просп. Слобожанський, 31Д',
  lat: 48.5,
  lon: 35,
  is_online: true,
  promo: null,
  reward: null,
  note: null,
  opening_hours: null,
  maintenance: [],
  photos: [],
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

export const stationCall = 'GET /api/station/F1400';
export const statesCall = 'GET /api/connectors/F1400';
export const payCall = 'POST /api/payment/new';

/** What the page does when a message of its station arrives. */
export const live = { onMessage: (): void => undefined };

export function prepareStationScreen(): void {
  // With a fake clock nothing is loaded lazily, so the later steps are imported before.
  beforeAll(
    async () =>
      void (await Promise.all([
        import('../features/stations/steps/later-steps.ts'),
        import('../features/stations/landing/offline-station.tsx'),
        import('../features/stations/landing/promo-banner.tsx'),
        import('../features/stations/steps/top-up-note.tsx'),
      ])),
  );
  beforeEach(() => {
    vi.useFakeTimers();
    live.onMessage = () => undefined;
    vi.mocked(connectRealtime).mockReturnValue({
      listen: (_group, onMessage) => {
        live.onMessage = () => onMessage({ type: 'station_update' });
      },
      stop: () => undefined,
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.mocked(leaveFor).mockReset();
  });
}

export async function openStationPage(
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

export const connectorCards = () => screen.getAllByRole('listitem').filter((item) => /№/.test(item.textContent ?? ''));
export const connectorCard = (name: string) => screen.getByRole('button', { name: new RegExp(name) });
export const pressButton = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
export const popupText = () => usePopups.getState().waiting.map((popup) => popup.kind === 'message' && popup.message);

export async function openAmountStep(method: 'Картка' | 'Баланс', user = aUser()) {
  const page = await openStationPage(aStation(), { user });
  fireEvent.click(connectorCard('CCS2'));
  await pass();
  pressButton(new RegExp(`^${method}`));
  await pass();
  return page;
}
export const amountField = () => screen.getByLabelText<HTMLInputElement>('Сума');
export const typeAmount = (value: string) => fireEvent.change(amountField(), { target: { value } });
/** Waits for several turns of the real event loop without moving the test's clock. */
export const stationSoon = (check: () => void) =>
  vi.waitFor(
    async () => {
      await pass();
      check();
    },
    { timeout: 4000, interval: 5 },
  );
export const payButton = () => screen.getByRole('button', { name: /^Сплатити/ });
/** Signing, and loading the texts of a refusal, use the real clock, so `soon` waits for the result. */
export async function payNow(server: ReturnType<typeof serve>, name: string | RegExp = /^Сплатити/) {
  const before = server.times(payCall);
  pressButton(name);
  vi.useRealTimers();
  await vi.waitFor(() => expect(server.times(payCall)).toBe(before + 1), { timeout: 4000, interval: 5 });
  vi.useFakeTimers();
  await pass(10);
}
