import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { pass, RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { deleteDraft, signUpDraft, storeDraft } from './draft.ts';
import { loader, Page } from './otp-page.tsx';
import { accountQueries } from './queries.ts';
import { rememberReturnTo } from './return-to.ts';

let number = 0;
/** Each test has its own number, because a pending code is not requested again. */
let phone = '';

async function openPage(answers: Record<string, unknown> = {}) {
  const server = serve({
    'POST /api/otps': {},
    'POST /api/otp': {},
    'POST /api/users': {},
    'POST /api/login': aUser(),
    ...answers,
  });
  const queryClient = cacheWith();
  const routes = [
    { path: '/otp', Component: Page, loader },
    { path: '*', element: <p>Another page</p> },
  ];
  const { router } = await renderRoutes(routes, queryClient, '/otp');
  if (signUpDraft().name) await waitFor(() => expect(server.times('POST /api/otps')).toBe(1));
  return { server, queryClient, at: () => router.state.location.pathname, router };
}
const input = () => screen.getByLabelText<HTMLInputElement>('Code from the SMS');
const enter = (code: string) => fireEvent.change(input(), { target: { value: code } });
const messages = () => usePopups.getState().waiting.map((popup) => (popup.kind === 'message' ? popup.message : null));

beforeEach(async () => {
  await chooseLanguage('en');
  deleteDraft();
  phone = `+38067${String(++number).padStart(7, '0')}`;
  storeDraft({
    name: 'Olena Koval',
    password: 'correct-horse',
    phoneNumber: phone,
    telegramId: 42,
    car: { name: 'Leaf', battery: 40 },
    termsVersion: '2026-11',
  });
  // The browser signs asynchronously on its own, so only the page's clock is faked.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('the page of the code', () => {
  it('opens only with a complete draft, otherwise redirects to sign-up [GUARD-17]', async () => {
    deleteDraft();
    const { at, server } = await openPage();
    expect(at()).toBe('/reg');
    expect(server.sent).toEqual([]);
  });

  it('requests a code when it opens, once [OTP-02]', async () => {
    const { server } = await openPage();
    expect(server.sent).toEqual([
      {
        call: 'POST /api/otps',
        body: expect.objectContaining({ phone_number: phone, purpose: 'sign_up', language: 'en' }),
      },
    ]);
    expect(input().autocomplete).toBe('one-time-code');
    expect(document.activeElement).toBe(input());
  });

  it('accepts six digits; the right ones register and sign in, with station "0" [OTP-01] [OTP-04] [REG-05]', async () => {
    const { server, at, queryClient } = await openPage();
    enter('48120');
    expect(server.times('POST /api/otp')).toBe(0);
    enter('481205');
    await waitFor(() => expect(at()).toBe('/account'));
    expect(server.sent.slice(1).map(({ call }) => call)).toEqual([
      'POST /api/otp',
      'POST /api/users',
      'POST /api/login',
    ]);
    expect(server.bodyOf('POST /api/otp')).toMatchObject({ code: '481205', phone_number: phone });
    expect(server.bodyOf('POST /api/users')).toMatchObject({
      name: 'Olena Koval',
      password: 'correct-horse',
      phone_number: phone,
      telegram_id: 42,
      cars: [{ name: 'Leaf', battery: 40 }],
      terms_version: '2026-11',
    });
    expect(server.bodyOf('POST /api/login')).toMatchObject({
      phone_number: phone,
      password: 'correct-horse',
      station_number: '0',
    });
    expect(queryClient.getQueryData(accountQueries.user().queryKey)).toEqual(aUser());
    expect(signUpDraft().name).toBe('');
  });

  it('opens the remembered page [REG-06]', async () => {
    rememberReturnTo('/station/F1400');
    const { at } = await openPage();
    enter('481205');
    await waitFor(() => expect(at()).toBe('/station/F1400'));
  });

  it('clears the field after a wrong code and does not register [OTP-05]', async () => {
    const { server } = await openPage({
      'POST /api/otp': new RefusedAnswer(422, { message: 'No', code: 'wrong_code' }),
    });
    enter('000000');
    // Browsers take the focus, and phones the keyboard, from an input that is disabled during the request.
    expect([input().disabled, input().getAttribute('aria-disabled')]).toEqual([false, 'true']);
    expect(await screen.findByText('The code is wrong or has expired')).toBeTruthy();
    expect(input().value).toBe('');
    expect(document.activeElement).toBe(input());
    expect(server.times('POST /api/users')).toBe(0);
    server.answers['POST /api/otp'] = {};
    await waitFor(() => expect(input().getAttribute('aria-disabled')).toBeNull());
    enter('481205');
    await waitFor(() => expect(server.times('POST /api/users')).toBe(1));
  });

  it('sends another code after 30 seconds, not sooner [OTP-03]', async () => {
    const { server } = await openPage();
    const again = () => screen.getByText(/^Send (the code )?again/).closest('button') as HTMLButtonElement;
    expect([again().disabled, again().textContent]).toEqual([true, 'Send again in 30 sec']);
    await pass(29_000);
    expect([again().disabled, again().textContent]).toEqual([true, 'Send again in 1 sec']);
    await pass(1_000);
    expect([again().disabled, again().textContent]).toEqual([false, 'Send the code again']);
    fireEvent.click(again());
    await waitFor(() => expect(server.times('POST /api/otps')).toBe(2));
    expect(again().disabled).toBe(true);
  });

  it('does not request another code while one is pending', async () => {
    const { router, server } = await openPage();
    await act(() => router.navigate('/reg'));
    await act(() => router.navigate('/otp'));
    expect(await screen.findByText('Send again in 30 sec')).toBeTruthy();
    // All other requests use the same mock and would follow it.
    enter('481205');
    await waitFor(() => expect(server.times('POST /api/login')).toBe(1));
    expect(server.times('POST /api/otps')).toBe(1);
  });

  it.each([
    [409, 'user_exists', 'refusals:userExists'],
    [422, 'invalid_input', 'auth:phoneInvalid'],
  ])('returns to the form when the number is refused: %i', async (status, code, problem) => {
    const { at, router } = await openPage({ 'POST /api/otps': new RefusedAnswer(status, { message: 'No', code }) });
    await waitFor(() => expect(at()).toBe('/reg'));
    expect(router.state.location.state).toEqual({ errors: { phone: problem } });
  });

  it('waits without an error for a code that was sent a moment ago, before a reload', async () => {
    const { server } = await openPage({
      'POST /api/otps': new RefusedAnswer(429, { message: 'No', code: 'too_many_attempts' }, 12),
    });
    expect(await screen.findByText('Send again in 12 sec')).toBeTruthy();
    expect(screen.queryByText('Too many attempts. Try again later.')).toBeNull();
    server.answers['POST /api/otps'] = new RefusedAnswer(429, { message: 'No', code: 'too_many_attempts' }, 3600);
    await pass(12_000);
    fireEvent.click(screen.getByText('Send the code again'));
    expect(await screen.findByText('Too many attempts. Try again later.')).toBeTruthy();
  });

  it('reports that no code could be sent and offers a retry', async () => {
    await openPage({ 'POST /api/otps': new RefusedAnswer(500, { message: 'No', code: 'sms_not_sent' }) });
    expect(await screen.findByText('The SMS could not be sent. Try again later.')).toBeTruthy();
    await pass(1000);
    expect(screen.getByText('Send the code again').closest('button')?.disabled).toBe(false);
  });

  it('a failed sign-up is logged and shown, and can be retried without another code [ERR-26]', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { server, at } = await openPage({ 'POST /api/users': new RefusedAnswer(500) });
    enter('481205');
    expect(await screen.findByText('Server error. Try again later.')).toBeTruthy();
    expect(warn).toHaveBeenCalledExactlyOnceWith('sign-up failed', expect.objectContaining({ status: 500 }));
    expect(messages()).toEqual([]);
    server.answers['POST /api/users'] = {};
    fireEvent.click(await screen.findByText('Finish sign-up'));
    await waitFor(() => expect(at()).toBe('/account'));
    expect(server.times('POST /api/otp')).toBe(1);
  });

  it('terms that changed meanwhile must be accepted again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const errors = { terms_version: ['The terms have changed, please read them again.'] };
    const { at } = await openPage({
      'POST /api/users': new RefusedAnswer(422, { message: 'No', code: 'invalid_input', errors }),
      'GET /api/settings': new RefusedAnswer(500),
    });
    enter('481205');
    await waitFor(() => expect(at()).toBe('/reg'));
    expect(signUpDraft()).toMatchObject({ name: 'Olena Koval', termsVersion: '' });
    expect(messages()).toEqual(['The terms of service have changed. Please read them and agree again.']);
  });

  it('when only the sign-in failed, the account exists and the sign-in form opens', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { at } = await openPage({ 'POST /api/login': new RefusedAnswer(500) });
    enter('481205');
    await waitFor(() => expect(at()).toBe('/auth'));
    expect(messages()).toEqual(['Account created. Please sign in.']);
  });
});
