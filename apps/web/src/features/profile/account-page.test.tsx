import type { User } from '@fpay/contract/account';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { PopupHost } from '../../ui/overlay/popup-host.tsx';
import { accountQueries } from '../account/queries.ts';
import { Page } from './account-page.tsx';

async function openAccount(user: User) {
  const queryClient = cacheWith({ user });
  const element = (
    <>
      <Page />
      <PopupHost />
    </>
  );
  const drawn = await renderRoutes(
    [
      { path: '/account', element },
      { path: '*', element: <PopupHost /> },
    ],
    queryClient,
    '/account',
  );
  return { queryClient, ...drawn };
}

const link = (name: RegExp) => screen.queryByRole('link', { name });

describe('the account menu', () => {
  it.each([
    ['Analytic', 'Аналітик'],
    ['Support', 'Підтримка'],
    ['Operator', 'Оператор'],
    ['Admin', 'Адміністратор'],
    ['SuperAdmin', 'Головний адміністратор'],
  ] as const)('shows %s the link to the back office, and the role [ACC-01]', async (role, name) => {
    await openAccount(aUser({ role }));
    expect(link(/^Адміністрування/)).toHaveProperty('pathname', '/admin');
    expect(link(/^Адміністрування/)?.textContent).toBe(`Адміністрування${name}`);
  });

  it('shows a driver no link to the back office [ACC-01]', async () => {
    await openAccount(aUser());
    expect(link(/Адміністрування/)).toBeNull();
  });

  it('links members of a party to it, and no other users [ACC-02]', async () => {
    const party = { name: 'Зелений парк', is_owner: true, is_closed: false };
    const { unmount } = await openAccount(aUser({ party }));
    expect(link(/^Група «Зелений парк»/)).toHaveProperty('pathname', '/party');
    expect(screen.getByText('Ви власник')).toBeTruthy();
    unmount();
    const member = await openAccount(aUser({ party: { ...party, is_owner: false } }));
    expect(screen.getByText('Ви учасник')).toBeTruthy();
    member.unmount();
    await openAccount(aUser());
    expect(link(/Група/)).toBeNull();
  });

  it('links to every page of the account [ACC-03]', async () => {
    const cars = [
      { id: 3, name: 'Леаф', battery: 40, manufacturer: null, model: null, plate: null, vin: null, year: null },
    ];
    await openAccount(aUser({ cars, active_car_id: 3, active_operations: [12] }));
    const targets = screen.getAllByRole('link').map((anchor) => [anchor.textContent, anchor.getAttribute('href')]);
    expect(targets).toEqual([
      ['', '/edit'],
      ['Баланс1\u00a0284,50\u00a0₴', '/balance'],
      ['Поповнити', '/balance'],
      ['Мапа', '/map'],
      ['Сканувати QR', '/qr'],
      ['Активні сесіїТриває 1 сесія', '/active'],
      ['Історія', '/history'],
      ['Статистика', '/stats'],
      ['Мої автоЛеаф', '/cars'],
      ['Telegram-ботПовідомить, щойно авто зарядиться', 'https://t.me/fpay_bot?start=token'],
    ]);
    expect(screen.getByRole('link', { name: 'Редагувати профіль' })).toHaveProperty('pathname', '/edit');
  });

  it('opens the cards for staff and shows others why they are not available [ACC-04]', async () => {
    const { unmount } = await openAccount(aUser({ role: 'Support' }));
    expect(link(/^RFID-картки/)).toHaveProperty('pathname', '/rfid');
    unmount();
    await openAccount(aUser());
    expect(link(/RFID-картки/)).toBeNull();
    const row = screen.getByRole('button', { name: /RFID-картки.*Поки лише для працівників мережі/ });
    expect(row).toHaveProperty('disabled', true);
  });

  it('shows the pixels as coming soon [ACC-05]', async () => {
    await openAccount(aUser({ role: 'SuperAdmin' }));
    const row = screen.getByText('Керувати пікселями').closest('li');
    expect(row?.getAttribute('aria-disabled')).toBe('true');
    expect(row?.querySelector('a, button')).toBeNull();
    expect(row?.textContent).toContain('Скоро');
  });
});

describe('signing out', () => {
  const signOutCall = 'DELETE /api/logout';

  it('needs a confirmation; no keeps the session [ACC-06]', async () => {
    const server = serve({ [signOutCall]: null });
    const { queryClient, router } = await openAccount(aUser());
    fireEvent.click(screen.getByRole('button', { name: 'Вийти' }));
    await screen.findByRole('dialog', { name: 'Вийти з акаунта?' });
    fireEvent.click(screen.getByRole('button', { name: 'Залишитися' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.times(signOutCall)).toBe(0);
    expect(router.state.location.pathname).toBe('/account');
    expect(queryClient.getQueryData(accountQueries.user().queryKey)).not.toBeNull();
  });

  it('ends the session, removes cached data and leads to sign-in [ACC-06]', async () => {
    const server = serve({ [signOutCall]: null });
    const { queryClient, router } = await openAccount(aUser());
    queryClient.setQueryData(['history', 'week'], ['theirs']);
    fireEvent.click(screen.getByRole('button', { name: 'Вийти' }));
    const dialog = await screen.findByRole('dialog', { name: 'Вийти з акаунта?' });
    fireEvent.click(
      Array.from(dialog.querySelectorAll('button')).find(({ textContent }) => textContent === 'Вийти') as Element,
    );
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth'));
    expect(server.times(signOutCall)).toBe(1);
    expect(queryClient.getQueryData(accountQueries.user().queryKey)).toBeNull();
    expect(queryClient.getQueryData(['history', 'week'])).toBeUndefined();
  });

  it('shows an error and stays when the server could not end the session', async () => {
    serve({ [signOutCall]: new RefusedAnswer(500) });
    const { router } = await openAccount(aUser({ active_operations: [12] }));
    fireEvent.click(screen.getByRole('button', { name: 'Вийти' }));
    const dialog = await screen.findByRole('dialog', { name: 'Вийти з акаунта?' });
    expect(dialog.textContent).toContain('Зарядка триватиме.');
    fireEvent.click(
      Array.from(dialog.querySelectorAll('button')).find(({ textContent }) => textContent === 'Вийти') as Element,
    );
    await screen.findByRole('dialog', { name: 'Помилка на сервері. Спробуйте трохи згодом.' });
    expect(router.state.location.pathname).toBe('/account');
  });
});
