import type { MaintenanceState } from '@fpay/contract/maintenance';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { Page } from './offline-page.tsx';
import { elapsedPercent, minutesLeft } from './progress.ts';

const now = Date.parse('2026-11-15T00:52:00Z');
const planned: MaintenanceState = {
  is_down: true,
  start_time: '2026-11-15T00:00:00Z',
  end_time: '2026-11-15T01:30:00Z',
  text: null,
};
let answer: () => Promise<Response>;
let asked: number;

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  asked = 0;
  vi.stubGlobal('fetch', () => {
    asked++;
    return answer();
  });
});
afterEach(() => vi.useRealTimers());

async function openPage(state: MaintenanceState) {
  answer = async () => Response.json(state);
  const drawn = await renderRoutes(
    [
      { path: '/offline', Component: Page },
      { path: '/', element: <h1>Мапа</h1> },
    ],
    cacheWith(),
    '/offline',
  );
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Зачекайте' })).toBeNull());
  return drawn;
}

describe('the maintenance page', () => {
  it('shows a drawing, the reason, the start and the end [OFF-01]', async () => {
    await openPage(planned);
    expect(screen.getByTestId('maintenance-drawing').querySelector('[class*="animate-"]')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Volta на технічних роботах' })).toBeTruthy();
    expect(screen.getByText(/тимчасово недоступний через технічні роботи/)).toBeTruthy();
    const moments = screen.getAllByRole('time').map(({ textContent }) => textContent);
    expect(moments).toEqual(['02:00', '03:30']);
  });

  it("the English text is 'The application is currently unavailable due to maintenance work' [ERR-01]", async () => {
    await openPage(planned);
    await act(() => chooseLanguage('en'));
    expect(screen.getByText(/^The application is currently unavailable due to maintenance work\./)).toBeTruthy();
  });

  it('shows the text of staff instead, when there is one [OFF-01]', async () => {
    await openPage({ ...planned, text: 'Міняємо сервер.' });
    expect(screen.getByText(/^Міняємо сервер\./)).toBeTruthy();
  });

  it('shows the progress and the remaining minutes [OFF-02] [OFF-03]', async () => {
    await openPage(planned);
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('58');
    expect(screen.getByText('38 хв')).toBeTruthy();
  });

  it('promises to be back as soon as possible when the end is unknown [OFF-04]', async () => {
    await openPage({ ...planned, end_time: null });
    expect(screen.getByText('Відновимо роботу якнайшвидше')).toBeTruthy();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('asks the server again on refresh, and redirects when the service is back [OFF-05] [OFF-06]', async () => {
    const { router } = await openPage(planned);
    expect(asked).toBe(1);
    fireEvent.click(screen.getByRole('button', { name: 'Перевірити знову' }));
    await waitFor(() => expect(asked).toBe(2));
    await screen.findByRole('button', { name: 'Перевірити знову' });
    expect(router.state.location.pathname).toBe('/offline');
    answer = async () => Response.json({ ...planned, is_down: false });
    fireEvent.click(screen.getByRole('button', { name: 'Перевірити знову' }));
    await screen.findByRole('heading', { name: 'Мапа' });
  });

  it('redirects to the map at once when the service is not down [OFF-06]', async () => {
    const { router } = await openPage({ ...planned, is_down: false });
    expect(router.state.location.pathname).toBe('/');
  });

  it('stays, and reports it, when the server does not answer', async () => {
    const { router } = await openPage(planned);
    answer = async () => Response.json({ message: 'Service Unavailable' }, { status: 503 });
    fireEvent.click(screen.getByRole('button', { name: 'Перевірити знову' }));
    await screen.findByText('Не вдалося перевірити. Спробуйте ще раз.');
    expect(router.state.location.pathname).toBe('/offline');
  });
});

describe('the progress of maintenance', () => {
  it.each([
    ['before it begins', '2026-11-14T23:00:00Z', 0, 150],
    ['in the middle', '2026-11-15T00:45:00Z', 50, 45],
    ['in its last seconds', '2026-11-15T01:29:30Z', expect.closeTo(99.4, 1), 1],
    ['after it should have ended', '2026-11-15T02:00:00Z', 100, null],
  ])('%s', (_, instant, percent, minutes) => {
    const at = Date.parse(instant);
    expect([elapsedPercent(planned, at), minutesLeft(planned, at)]).toEqual([percent, minutes]);
  });

  it('is unknown without a start or an end', () => {
    expect(elapsedPercent({ ...planned, start_time: null }, now)).toBeNull();
    expect(elapsedPercent({ ...planned, end_time: null }, now)).toBeNull();
    expect(minutesLeft({ ...planned, end_time: null }, now)).toBeNull();
    expect(elapsedPercent({ ...planned, end_time: planned.start_time }, now)).toBe(100);
  });
});
