import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { accountQueries } from './queries.ts';
import { rememberReturnTo } from './return-to.ts';
// Imported here, so that the tests do not wait for the lazy import.
import './second-factor.tsx';
import { SignInPage } from './sign-in-page.tsx';

const withheld = aUser({ awaits_code: true });
const staff = aUser({ role: 'Support' });

async function openPage(answers: Record<string, unknown>) {
  const server = serve({ 'POST /api/login/otps': { sent_by: 'telegram' }, 'POST /api/login/otp': staff, ...answers });
  const queryClient = cacheWith({ user: withheld });
  const routes = [
    { path: '/auth', element: <SignInPage /> },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const { router } = await renderRoutes(routes, queryClient, '/auth');
  return { server, queryClient, at: () => router.state.location.pathname };
}
const enter = async (code: string) =>
  fireEvent.change(await screen.findByLabelText('Код підтвердження', {}, { timeout: 4000 }), {
    target: { value: code },
  });

afterEach(() => vi.unstubAllGlobals());

describe('staff after the password', () => {
  it('get a code, once, and open the requested page with it [AUTH-19]', async () => {
    rememberReturnTo('/admin/users');
    const { server, queryClient, at } = await openPage({});
    expect(await screen.findByText('Ми надіслали код із 6 цифр у ваш Telegram.', {}, { timeout: 4000 })).toBeTruthy();
    expect(server.times('POST /api/login/otps')).toBe(1);
    await enter('481205');
    await waitFor(() => expect(at()).toBe('/admin/users'));
    expect(server.bodyOf('POST /api/login/otp')).toMatchObject({ code: '481205', trust: false });
    expect(queryClient.getQueryData(accountQueries.user().queryKey)).toEqual(staff);
  });

  it('can mark the device as trusted', async () => {
    const { server } = await openPage({});
    fireEvent.click(await screen.findByLabelText('Не питати на цьому пристрої 30 днів'));
    await enter('481205');
    await waitFor(() => expect(server.bodyOf('POST /api/login/otp')).toMatchObject({ trust: true }));
  });

  it('stay on the page after a wrong code, and can continue as drivers', async () => {
    const { at } = await openPage({
      'POST /api/login/otp': new RefusedAnswer(422, { message: 'No', code: 'wrong_code' }),
    });
    await enter('000000');
    expect(await screen.findByText('Код неправильний або вже не діє')).toBeTruthy();
    expect([screen.getByLabelText<HTMLInputElement>('Код підтвердження').value, at()]).toEqual(['', '/auth']);
    fireEvent.click(screen.getByText('Продовжити без прав працівника'));
    await waitFor(() => expect(at()).toBe('/account'));
  });
});
