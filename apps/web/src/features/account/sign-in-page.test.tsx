import type { User } from '@fpay/contract/account';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { aGuest, aUser, someSettings } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { accountQueries } from './queries.ts';
import { rememberReturnTo, returnTo } from './return-to.ts';
// Imported here, so that the tests do not wait for the lazy import.
import './seasonal-banner.tsx';
import './sign-in-code.tsx';
import { SignInPage } from './sign-in-page.tsx';

async function openPage({ asked, user = null }: { asked?: string; user?: User | null } = {}) {
  if (asked) rememberReturnTo(asked);
  const queryClient = cacheWith({ user });
  const routes = [
    { path: '/auth', element: <SignInPage /> },
    { path: '*', element: <p>Інша сторінка</p> },
  ];
  const { router } = await renderRoutes(routes, queryClient, '/auth');
  return { queryClient, at: () => router.state.location.pathname + router.state.location.search };
}

/** Found by text, because a query by role makes jsdom compute a name for every element. */
const press = (words: string) => fireEvent.click(screen.getByText(words));
const phone = () => screen.getByLabelText<HTMLInputElement>('Номер телефону');
const password = () => screen.getByLabelText<HTMLInputElement>('Пароль');
function signIn(number = '+380671234567', secret = 'charge-demo') {
  fireEvent.change(phone(), { target: { value: number } });
  fireEvent.change(password(), { target: { value: secret } });
  press('Увійти');
}
const errorOf = (input: HTMLElement) =>
  input.getAttribute('aria-invalid') &&
  document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent;
const messages = () => usePopups.getState().waiting.map((popup) => (popup.kind === 'message' ? popup.message : null));
const guestButton = () => screen.getByText('Продовжити як гість').closest('button') as HTMLButtonElement;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('sign-in', () => {
  it('sends phone, password and no station, stores the user and leads to the account, the default page [AUTH-01] [GUARD-20]', async () => {
    const server = serve({ 'POST /api/login': aUser() });
    const { at, queryClient } = await openPage();
    signIn();
    await waitFor(() => expect(at()).toBe('/account'));
    expect(server.bodyOf('POST /api/login')).toMatchObject({
      phone_number: '+380671234567',
      password: 'charge-demo',
      station_number: '0',
    });
    expect(queryClient.getQueryData(accountQueries.user().queryKey)).toEqual(aUser());
  });

  it('is reached by the keyboard in the order of its use: phone, password, then the forgotten password', async () => {
    await openPage();
    const inOrder = [phone(), password(), screen.getByText('Забули пароль?')];
    const reachable = Array.from(document.querySelectorAll<HTMLElement>('form input, form button'));
    const places = inOrder.map((element) => reachable.indexOf(element));
    expect(places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1))).toBe(true);
    expect(reachable.every(({ tabIndex }) => tabIndex <= 0)).toBe(true);
  });

  it('leads to the requested page, once, and sends its station [GUARD-04]', async () => {
    const server = serve({ 'POST /api/login': aUser() });
    const { at } = await openPage({ asked: '/station/F1400?ref_id=5' });
    signIn();
    await waitFor(() => expect(at()).toBe('/station/F1400?ref_id=5'));
    expect(server.bodyOf('POST /api/login')).toMatchObject({ station_number: 'F1400' });
    expect(returnTo()).toBeNull();
  });

  it('removes the data of the previous guest', async () => {
    serve({ 'POST /api/login': aUser() });
    const { at, queryClient } = await openPage({ user: aGuest() });
    queryClient.setQueryData(['charging', 'active'], ['a session of the guest']);
    signIn();
    await waitFor(() => expect(at()).toBe('/account'));
    expect(queryClient.getQueryData(['charging', 'active'])).toBeUndefined();
  });

  it.each(['+38067123456', '+3806712345678', '067123456', '+', ''])(
    'a phone that is no +380 number of 13 characters, nor one that sign-up accepts, is not sent: %j [VAL-05]',
    async (number) => {
      const server = serve({ 'POST /api/login': aUser() });
      await openPage();
      signIn(number);
      expect(errorOf(phone())).toBe('Введіть номер із кодом країни, наприклад +380671234567');
      expect(server.sent).toEqual([]);
    },
  );

  it('spaces and brackets do not count, and a foreign number may have the length that sign-up allows [VAL-05]', async () => {
    const server = serve({ 'POST /api/login': new RefusedAnswer(401) });
    await openPage();
    signIn('+380 (67) 123-45-67');
    await waitFor(() => expect(server.bodyOf('POST /api/login')).toMatchObject({ phone_number: '+380671234567' }));
    await waitFor(() => expect(errorOf(phone())).toBeTruthy());
    server.sent.length = 0;
    signIn('+48512345678');
    await waitFor(() => expect(server.bodyOf('POST /api/login')).toMatchObject({ phone_number: '+48512345678' }));
  });

  it('an empty password is not sent', async () => {
    const server = serve({});
    await openPage();
    signIn('+380671234567', '');
    expect(errorOf(password())).toBe('Введіть пароль');
    expect(server.sent).toEqual([]);
  });

  it.each([
    [401, 'bad_credentials'],
    [404, 'not_found'],
    [422, 'invalid_input'],
  ])('refused with %i shows hints at both fields and keeps the input [ERR-05]', async (status, code) => {
    serve({ 'POST /api/login': new RefusedAnswer(status, { message: 'No', code }) });
    const { at } = await openPage();
    signIn();
    await waitFor(() => expect(errorOf(phone())).toBe('Користувача не знайдено. Перевірте номер.'));
    expect(errorOf(password())).toBe('Можливо, пароль неправильний?');
    expect([phone().value, password().value, at()]).toEqual(['+380 67 123 45 67', 'charge-demo', '/auth']);
    expect(messages()).toEqual([]);
    await waitFor(() => expect(document.activeElement).toBe(phone()));
  });

  it('the hints are the specified ones in English [ERR-05]', async () => {
    await chooseLanguage('en');
    serve({ 'POST /api/login': new RefusedAnswer(401, { message: 'No', code: 'bad_credentials' }) });
    await openPage();
    fireEvent.change(screen.getByLabelText('Phone number'), { target: { value: '+380671234567' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'charge-demo' } });
    press('Sign in');
    expect(await screen.findByText('User not found!')).toBeTruthy();
    expect(screen.getByText('Maybe, wrong password?')).toBeTruthy();
  });

  it.each([
    [
      '429',
      new RefusedAnswer(429, { message: 'No', code: 'too_many_attempts' }),
      'Too many attempts. Try again later.',
    ],
    ['500', new RefusedAnswer(500), 'Server error. Try again later.'],
  ])('a popup reports %s, and the form works again [ERR-06] [ERR-07]', async (_, refused, words) => {
    await chooseLanguage('en');
    serve({ 'POST /api/login': refused });
    await openPage();
    fireEvent.change(screen.getByLabelText('Phone number'), { target: { value: '+380671234567' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'charge-demo' } });
    press('Sign in');
    await waitFor(() => expect(messages()).toEqual([words]));
    expect(errorOf(screen.getByLabelText('Phone number'))).toBeNull();
    await waitFor(() => expect(screen.getByText('Sign in').closest('button')?.ariaBusy ?? null).toBeNull());
  });

  it('a blocked user gets the reason', async () => {
    serve({ 'POST /api/login': new RefusedAnswer(403, { message: 'No', code: 'banned' }) });
    await openPage();
    signIn();
    await waitFor(() => expect(messages()).toEqual(['Цей акаунт заблоковано. Зверніться до підтримки.']));
  });

  it('links to sign-up and to the terms [AUTH-02]', async () => {
    await openPage();
    expect(screen.getByText('Створити акаунт').closest('a')?.getAttribute('href')).toBe('/reg');
    const terms = screen.getByText<HTMLAnchorElement>('умовами користування');
    expect([terms.href, terms.target]).toEqual([someSettings.terms_url, '_blank']);
  });
});

describe('a guest', () => {
  it.each([
    ['/station/F1400', false],
    ['/station/v/F1500', false],
    ['/station/F1400?ref_id=5', false],
    ['/balance', true],
    ['/status/12', true],
    [undefined, true],
  ])('may continue when the requested page is a station: %s [AUTH-03]', async (asked, isDisabled) => {
    await openPage(asked ? { asked } : {});
    expect(guestButton().disabled).toBe(isDisabled);
  });

  it('is created with one press and gets to the station [AUTH-05]', async () => {
    const server = serve({ 'POST /api/guest': aGuest() });
    const { at, queryClient } = await openPage({ asked: '/station/F1400' });
    expect(screen.getByText('F1400')).toBeTruthy();
    fireEvent.click(guestButton());
    await waitFor(() => expect(at()).toBe('/station/F1400'));
    expect(server.times('POST /api/guest')).toBe(1);
    expect(queryClient.getQueryData(accountQueries.user().queryKey)).toEqual(aGuest());
  });

  it('that cannot be created gets the reason', async () => {
    serve({ 'POST /api/guest': new RefusedAnswer(429, { message: 'No', code: 'too_many_attempts' }) });
    await openPage({ asked: '/station/F1400' });
    fireEvent.click(guestButton());
    await waitFor(() => expect(messages()).toEqual(['Забагато спроб. Спробуйте трохи згодом.']));
  });

  it('that already exists sees a back button instead [AUTH-04]', async () => {
    const { at } = await openPage({ user: aGuest(), asked: '/station/F1400' });
    expect(screen.queryByText('Продовжити як гість')).toBeNull();
    press('Назад');
    await waitFor(() => expect(at()).toBe('/station/F1400'));
  });
});

describe('the festive week', () => {
  const banner = () => screen.queryByText('Солодощі — вам, енергія — авто');

  it('shows a banner, once a year [AUTH-06]', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-10-29T12:00:00Z') });
    await openPage();
    await waitFor(() => expect(banner()).toBeTruthy());
    press('OK');
    await waitFor(() => expect(banner()).toBeNull());
    await openPage();
    expect(banner()).toBeNull();
  });

  it('shows no banner on other days [AUTH-06]', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T12:00:00Z') });
    await openPage();
    expect(banner()).toBeNull();
  });
});

describe('a code after the password, when too many wrong ones were entered', () => {
  const asked = new RefusedAnswer(403, { message: 'No', code: 'sign_in_code_required', sent_by: 'sms' });
  const enter = async (code: string) =>
    fireEvent.change(await screen.findByLabelText('Код підтвердження', {}, { timeout: 4000 }), {
      target: { value: code },
    });

  it('is requested with the reason, and signs in together with the password', async () => {
    rememberReturnTo('/balance');
    const answer = vi
      .fn()
      .mockReturnValueOnce(asked)
      .mockReturnValueOnce(new RefusedAnswer(422, { message: 'No', code: 'wrong_code' }))
      .mockReturnValueOnce(aUser());
    const server = serve({ 'POST /api/login': answer });
    const { at } = await openPage();
    signIn();
    expect(
      await screen.findByText(/хтось багато разів вводив неправильний пароль/, {}, { timeout: 4000 }),
    ).toBeTruthy();
    await enter('000000');
    expect(await screen.findByText('Код неправильний або вже не діє')).toBeTruthy();
    await enter('481205');
    await waitFor(() => expect(at()).toBe('/balance'));
    expect(server.sent.at(-1)?.body).toMatchObject({
      phone_number: '+380671234567',
      password: 'charge-demo',
      otp: '481205',
    });
  });

  it('can be cancelled to return to the form', async () => {
    serve({ 'POST /api/login': asked });
    await openPage();
    signIn();
    fireEvent.click(await screen.findByText('Назад до входу', {}, { timeout: 4000 }));
    expect(phone()).toBeTruthy();
  });
});
