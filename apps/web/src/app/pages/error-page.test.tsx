import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { NetworkError } from '../../api/errors.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { ErrorPage } from './error-page.tsx';

async function openFailing(failure: unknown) {
  let isRepaired = false;
  const loader = () => {
    if (!isRepaired) throw failure;
    return null;
  };
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await renderRoutes([{ path: '/', loader, element: <h1>Мапа</h1>, ErrorBoundary: ErrorPage }], cacheWith());
  return { repair: () => (isRepaired = true) };
}

describe('a page that failed', () => {
  it('shows that the network is lost, and retries', async () => {
    const { repair } = await openFailing(new NetworkError('GET /api/user: no answer'));
    await screen.findByRole('heading', { name: 'Немає зв’язку' });
    repair();
    fireEvent.click(screen.getByRole('button', { name: 'Спробувати ще раз' }));
    await screen.findByRole('heading', { name: 'Мапа' });
  });

  it('reloads by itself when the network is back', async () => {
    const { repair } = await openFailing(new NetworkError('GET /api/user: no answer'));
    await screen.findByRole('heading', { name: 'Немає зв’язку' });
    repair();
    act(() => void dispatchEvent(new Event('online')));
    await screen.findByRole('heading', { name: 'Мапа' });
  });

  it('treats a page whose code could not be loaded as a lost network', async () => {
    await openFailing(new TypeError('Failed to fetch dynamically imported module: /assets/map.js'));
    await screen.findByRole('heading', { name: 'Немає зв’язку' });
  });

  it('never shows the message of a bug', async () => {
    const { sent } = serve({ 'POST /api/page-errors': {} });
    await openFailing(new Error('Cannot read properties of undefined'));
    await screen.findByRole('heading', { name: 'Щось пішло не так' });
    expect(document.body.textContent).not.toContain('undefined');
    // Otherwise the next test could get the report.
    await vi.waitFor(() => expect(sent).toHaveLength(1));
  });

  it('reports a bug once, shows the code of the report and offers a way back', async () => {
    const { sent } = serve({ 'POST /api/page-errors': {} });
    await openFailing(new Error('first bug'));
    const shown = (await screen.findByText(/^Код помилки: /)).textContent;
    const reports = sent.filter(({ call }) => call === 'POST /api/page-errors').map(({ body }) => body);
    expect(reports).toMatchObject([{ path: '/', message: 'first bug', stack: expect.stringContaining('first bug') }]);
    const code = String(reports[0]?.code);
    expect(shown).toBe(`Код помилки: ${code.slice(0, 4)}-${code.slice(4)}. Назвіть його підтримці.`);
    expect(screen.getByRole('link', { name: 'На мапу' }).getAttribute('href')).toBe('/map');
  });

  it('shows no code when the server did not take the report', async () => {
    const { sent } = serve({ 'POST /api/page-errors': new RefusedAnswer(429) });
    await openFailing(new Error('second bug'));
    await vi.waitFor(() => expect(sent.some(({ call }) => call === 'POST /api/page-errors')).toBe(true));
    expect(screen.queryByText(/^Код помилки: /)).toBeNull();
    expect(screen.getByRole('link', { name: 'На мапу' })).toBeTruthy();
  });

  it('does not report a lost network', async () => {
    const { sent } = serve({});
    await openFailing(new NetworkError('GET /api/user: no answer'));
    await screen.findByRole('heading', { name: 'Немає зв’язку' });
    expect(sent).toEqual([]);
  });
});
