import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { deleteDraft, isComplete, type SignUpDraft, signUpDraft, storeDraft } from './draft.ts';
import { Page } from './sign-up-page.tsx';

const good: SignUpDraft = {
  name: 'Olena Koval',
  password: 'correct-horse',
  phoneNumber: '+380671234567',
  telegramId: null,
  car: { name: 'Leaf', battery: 40 },
  termsVersion: '2026-11',
};

async function openPage(path = '/reg') {
  const routes = [
    { path: '/reg', Component: Page },
    { path: '/reg/:tg', Component: Page },
    { path: '*', element: <p>Another page</p> },
  ];
  const { router } = await renderRoutes(routes, cacheWith(), path);
  return { at: () => router.state.location.pathname };
}

const fields = {
  Name: 'Olena Koval',
  'Phone number': '+380671234567',
  Password: 'correct-horse',
  'Repeat the password': 'correct-horse',
  'Car name': 'Leaf',
  'Battery, kWh': '40',
};
function fill(changes: Partial<Record<keyof typeof fields, string>> = {}, agrees = true) {
  for (const [label, value] of Object.entries({ ...fields, ...changes }))
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  if (agrees) fireEvent.click(screen.getByLabelText('I agree to the'));
  fireEvent.click(screen.getByText('Continue'));
}
const messages = () => usePopups.getState().waiting.map((popup) => (popup.kind === 'message' ? popup.message : null));

beforeEach(async () => {
  deleteDraft();
  await chooseLanguage('en');
});
afterEach(() => vi.unstubAllGlobals());

describe('sign-up', () => {
  it('checks that the number is free, stores the draft and continues to the code [REG-01] [REG-02] [REG-04]', async () => {
    const server = serve({ 'POST /api/users/uc': {} });
    const { at } = await openPage();
    fill();
    await waitFor(() => expect(at()).toBe('/otp'));
    expect(server.bodyOf('POST /api/users/uc')).toMatchObject({ phone_number: '+380671234567' });
    expect(server.sent).toHaveLength(1);
    expect(signUpDraft()).toEqual(good);
  });

  it('uses the Telegram id of its address [REG-01] [REG-02]', async () => {
    serve({ 'POST /api/users/uc': {} });
    const { at } = await openPage('/reg/123456789');
    expect(screen.getByText('After sign-up the bot will ask you to confirm your Telegram.')).toBeTruthy();
    fill();
    await waitFor(() => expect(at()).toBe('/otp'));
    expect(signUpDraft()).toEqual({ ...good, telegramId: 123456789 });
  });

  it('a wrong field is marked and focused, the input stays, and nothing is sent', async () => {
    const server = serve({});
    await openPage();
    fill({ 'Phone number': '38067123456' });
    const input = screen.getByLabelText<HTMLInputElement>('Phone number');
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Phone number is invalid!',
    );
    expect(document.querySelectorAll('[aria-invalid="true"]')).toHaveLength(1);
    expect([document.activeElement, input.value]).toEqual([input, '38067123456']);
    expect(server.sent).toEqual([]);
  });

  it("a confirmation that differs: 'Passwords do not match!' [VAL-02]", async () => {
    const server = serve({});
    await openPage();
    fill({ 'Repeat the password': 'correct-house' });
    expect(screen.getByText('Passwords do not match!')).toBeTruthy();
    expect(server.sent).toEqual([]);
  });

  it('an empty battery is sent as none', async () => {
    serve({ 'POST /api/users/uc': {} });
    const { at } = await openPage();
    fill({ 'Battery, kWh': '' });
    await waitFor(() => expect(at()).toBe('/otp'));
    expect(signUpDraft().car).toEqual({ name: 'Leaf', battery: null });
  });

  it('a password that the server finds too common is marked before any code is sent', async () => {
    const errors = { password: ['This password is too common'] };
    serve({ 'POST /api/users/uc': new RefusedAnswer(422, { message: 'No', code: 'invalid_input', errors }) });
    const { at } = await openPage();
    fill({ Password: 'sunshine1', 'Repeat the password': 'sunshine1' });
    expect(await screen.findByText('This password is too common. Choose another one.')).toBeTruthy();
    expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
    expect(at()).toBe('/reg');
  });

  it('needs the terms to be accepted', async () => {
    const server = serve({});
    await openPage();
    fill({}, false);
    expect(screen.getByText('Please accept the terms to create an account')).toBeTruthy();
    expect(server.sent).toEqual([]);
  });

  it("a number that is taken: 'User already exists!' [VAL-06]", async () => {
    serve({ 'POST /api/users/uc': new RefusedAnswer(409, { message: 'User already exists!', code: 'user_exists' }) });
    const { at } = await openPage();
    fill();
    expect(await screen.findByText('User already exists!')).toBeTruthy();
    expect(at()).toBe('/reg');
    expect(isComplete(signUpDraft())).toBe(false);
  });

  it.each([
    [429, 'too_many_attempts', 'Too many attempts. Try again later.'],
    [500, undefined, 'Server error. Try again later.'],
  ])('a check that failed with %i is reported and the form stays [VAL-06]', async (status, code, words) => {
    serve({ 'POST /api/users/uc': new RefusedAnswer(status, { message: 'No', code }) });
    const { at } = await openPage();
    fill();
    await waitFor(() => expect(messages()).toEqual([words]));
    expect(at()).toBe('/reg');
  });

  it('a driver who returns from the code finds the input unchanged', async () => {
    storeDraft(good);
    await openPage();
    for (const [label, value] of Object.entries({ ...fields, 'Phone number': '+380 67 123 45 67' }))
      expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(value);
    expect(screen.getByLabelText<HTMLInputElement>('I agree to the').checked).toBe(true);
  });
});

describe('the draft', () => {
  it.each([
    ['all of it', {}, true],
    ['no battery', { car: { name: 'Leaf', battery: null } }, true],
    ['no name', { name: '' }, false],
    ['no password', { password: '' }, false],
    ['no phone', { phoneNumber: '' }, false],
    ['a car without a name', { car: { name: '', battery: 40 } }, false],
  ])('with %s is complete: %j → %s [REG-03]', (_, change, filled) => {
    expect(isComplete({ ...good, ...change })).toBe(filled);
  });

  it('survives a reload without the password, which is not stored', async () => {
    storeDraft(good);
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('correct-horse');
    vi.resetModules();
    const { signUpDraft: afterReload } = await import('./draft.ts');
    expect(afterReload()).toEqual({ ...good, password: '' });
  });
});
