import type { Operation } from '@fpay/contract/charging';
import { kopecks, wattHours, watts } from '@fpay/contract/money';
import type { PowerCurve } from '@fpay/contract/power-curve';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { connectRealtime } from '../api/realtime.ts';
import { StatusPage } from '../features/charging/status-page.tsx';
// Imported here, because with a fake clock nothing is loaded lazily.
import '../features/charging/facts.tsx';
import '../features/charging/feedback-popup.tsx';
import '../features/charging/power-curve.tsx';
import '../features/charging/returned.tsx';
import '../features/charging/stop-popup.tsx';
import { PopupHost } from '../ui/overlay/popup-host.tsx';
import { usePopups } from '../ui/overlay/popups.ts';
import { aUser } from './people.ts';
import { cacheWith, renderRoutes } from './render.tsx';
import { pass, serve } from './server.ts';

/** A status page with a server of the test. A test file that uses it replaces `api/realtime.ts`, as this cannot. */
export const operationCall = 'GET /api/operation/12';
export const aCharge = (rest: Partial<Operation> = {}): Operation => ({
  id: 12,
  status: 'ongoing',
  number: 'F1400',
  address: 'Slobozhanskyi Ave',
  address_uk: 'просп. Слобожанський',
  connector_type: 'ccstype2',
  connector_number: '1',
  connector_power: watts(60_000),
  amount: kopecks(362_50),
  payment_type: 'bonuses',
  price: kopecks(14_50),
  energy_limit: wattHours(25_000),
  total: kopecks(267_09),
  real_total: kopecks(267_09),
  percentage: 74,
  energy: wattHours(18_420),
  power: 47_300,
  current: 118,
  soc: null,
  time_left: null,
  start_attempt: 1,
  max_attempts: 3,
  read_at: '2026-11-15T01:29:57Z',
  stale_after: 30,
  silent_after: 60,
  server_time: new Date().toISOString(),
  car: null,
  card: null,
  is_overcharged: false,
  decline_reason: null,
  hold_status: null,
  payment_status: 'success',
  rating: null,
  rating_comment: null,
  stop_requested: false,
  stop_ignored: false,
  is_online: true,
  page_url: null,
  fiscal_url: null,
  has_receipt: true,
  failure_reason: null,
  created_at: '2026-11-15T01:00:00Z',
  started_at: '2026-11-15T01:01:00Z',
  finished_at: null,
  ...rest,
});

export const aCurve = (rest: Partial<PowerCurve> = {}): PowerCurve => ({
  began_at: '2026-11-15T01:01:00Z',
  seconds: [0, 600, 1200],
  power: [10_000, 58_600, 47_300],
  soc_first: 18,
  soc_last: 64,
  ...rest,
});

export const openMenu = vi.fn();
/** What the page does when a message of its operation arrives. */
export const liveOperation = { send: (_data: unknown): void => undefined };
export const listen = vi.fn((_group: string, onMessage: (data: unknown) => void) => {
  liveOperation.send = onMessage;
});

export function prepareStatusScreen(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-15T01:30:00Z') });
    listen.mockClear();
    openMenu.mockClear();
    vi.mocked(connectRealtime).mockReturnValue({ listen, stop: vi.fn() });
  });
  afterEach(() => void vi.useRealTimers());
}

export async function openStatusPage(rest: Partial<Operation> = {}, curve = aCurve()) {
  const server = serve({
    [operationCall]: () => aCharge(rest),
    'POST /api/feedback/allow': { allow: 'ALLOW' },
    'POST /api/feedback': null,
    'POST /api/operation/stop/12': { status: 'finishing' },
    'GET /api/user': () => aUser(),
    'GET /api/operation/12/curve': curve,
  });
  const drawn = await renderRoutes(
    [
      {
        path: '/status/:operation',
        element: (
          <>
            <StatusPage corner={null} onMenu={openMenu} />
            <PopupHost />
          </>
        ),
      },
      { path: '*', element: <p>Інша сторінка</p> },
    ],
    cacheWith({ user: aUser() }),
    '/status/12',
  );
  await pass();
  return { server, ...drawn };
}

/** Signing uses the platform's real clock. */
export async function signedCall() {
  for (let turn = 0; turn < 3; turn++) {
    await pass(10);
    vi.useRealTimers();
    await act(() => new Promise((resolve) => setTimeout(resolve, 40)));
    vi.useFakeTimers();
  }
  await pass(10);
}

export const buttonNamed = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
export const infoText = () => screen.getByLabelText('Подробиці').textContent?.replaceAll('\u00a0', ' ');
export const popupMessages = () =>
  usePopups.getState().waiting.map((popup) => popup.kind === 'message' && popup.message);
