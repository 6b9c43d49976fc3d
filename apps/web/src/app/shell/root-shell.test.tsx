import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { RootShell } from './root-shell.tsx';

async function openShell(header?: string) {
  const page = (path: string, words: string) => ({ path, element: <h1>{words}</h1>, handle: { header } });
  const routes = [{ Component: RootShell, children: [page('/', 'Мапа'), page('/qr', 'Сканер')] }];
  return renderRoutes(routes, cacheWith({ user: aUser() }));
}

describe('the root shell', () => {
  it('limits pages to a width of 3xl [SHELL-14]', async () => {
    await openShell();
    expect(screen.getByTestId('container').className.split(' ')).toContain('max-w-3xl');
    expect(screen.getByTestId('container').contains(screen.getByRole('heading', { name: 'Мапа' }))).toBe(true);
  });

  it('opens the menu, which closes after a navigation', async () => {
    await openShell();
    fireEvent.click(screen.getByRole('button', { name: 'Відкрити меню' }));
    const menu = await screen.findByRole('dialog', { name: 'Меню' });
    fireEvent.click(screen.getByRole('link', { name: 'Сканувати QR' }));
    await screen.findByRole('heading', { name: 'Сканер' });
    await waitFor(() => expect(menu.isConnected).toBe(false));
  });

  it('names the document after the page, and a navigation is announced and moves the focus to the heading', async () => {
    const { router } = await openShell();
    await waitFor(() => expect(document.title).toBe('Мапа · Volta'));
    expect(document.activeElement).toBe(document.body);
    await act(() => router.navigate('/qr'));
    await waitFor(() => expect(document.title).toBe('Сканер · Volta'));
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Сканер' }));
    expect(document.querySelector('[aria-live="polite"]')?.textContent).toBe('Сканер');
  });

  it('moves the focus to the heading of the page that the menu has opened', async () => {
    await openShell();
    fireEvent.click(screen.getByRole('button', { name: 'Відкрити меню' }));
    await screen.findByRole('dialog', { name: 'Меню' });
    // The history in memory does not change the address of the window.
    history.replaceState(null, '', '/qr');
    fireEvent.click(screen.getByRole('link', { name: 'Сканувати QR' }));
    const heading = await screen.findByRole('heading', { name: 'Сканер' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    history.replaceState(null, '', '/');
  });

  it('shows messages over any page', async () => {
    await openShell();
    act(() => void notify('Це не наш QR-код'));
    await screen.findByRole('dialog', { name: 'Це не наш QR-код' });
  });

  it.each([
    ['bar', true, true],
    ['brand', true, false],
    ['brandOnly', false, false],
    ['none', false, false],
  ])('renders the header that the page declares: %s', async (header, hasMenu, hasBalance) => {
    await openShell(header);
    expect(screen.queryByRole('button', { name: 'Відкрити меню' }) !== null).toBe(hasMenu);
    expect(screen.queryByRole('link', { name: /Баланс/ }) !== null).toBe(hasBalance);
    expect(screen.queryByRole('banner') !== null).toBe(header !== 'none');
  });
});
