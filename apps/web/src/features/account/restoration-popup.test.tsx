import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { renderPart } from '../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../testing/server.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { RestorationPopup } from './restoration-popup.tsx';

const taken = new RefusedAnswer(409, { message: 'User already exists!', code: 'user_exists' });
const onClose = vi.fn();
const onRestored = vi.fn();

function openPopup(answers: Record<string, unknown>) {
  const server = serve({ 'POST /api/users/uc': taken, 'POST /api/otps': {}, 'POST /api/restoration': {}, ...answers });
  renderPart(<RestorationPopup phone="+380671234567" onClose={onClose} onRestored={onRestored} />);
  return server;
}
function ask(secret = 'new-secret') {
  fireEvent.change(screen.getByLabelText('New password'), { target: { value: secret } });
  fireEvent.click(screen.getByText('Get code'));
}
async function enterCode(code: string) {
  fireEvent.change(await screen.findByLabelText('Code from the SMS'), { target: { value: code } });
}
const messages = () => usePopups.getState().waiting.map((popup) => (popup.kind === 'message' ? popup.message : null));

beforeEach(async () => {
  vi.clearAllMocks();
  await chooseLanguage('en');
});
afterEach(() => vi.unstubAllGlobals());

describe('a forgotten password', () => {
  it('is replaced in steps: number and new password, the code of an SMS, a message at the end [AUTH-07] [AUTH-09] [AUTH-10]', async () => {
    const server = openPopup({});
    expect(screen.getByLabelText<HTMLInputElement>('Phone number').value).toBe('+380 67 123 45 67');
    ask();
    await screen.findByText('We sent a 6-digit code to +380 67 123 45 67.');
    expect(server.bodyOf('POST /api/otps')).toMatchObject({
      phone_number: '+380671234567',
      purpose: 'restoration',
      language: 'en',
    });
    await enterCode('48120');
    expect(server.times('POST /api/restoration')).toBe(0);
    await enterCode('481205');
    await waitFor(() => expect(onRestored).toHaveBeenCalledExactlyOnceWith('+380671234567'));
    expect(server.bodyOf('POST /api/restoration')).toMatchObject({
      otp: '481205',
      phone_number: '+380671234567',
      new_password: 'new-secret',
    });
    expect(onClose).toHaveBeenCalledOnce();
    expect(messages()).toEqual(['Your password has been changed. Sign in with the new one.']);
  });

  it('can be given up with a visible button', () => {
    openPopup({});
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('marks a new password that the server finds too common before any code is sent', async () => {
    const errors = { password: ['This password is too common'] };
    const server = openPopup({
      'POST /api/users/uc': new RefusedAnswer(422, { message: 'No', code: 'invalid_input', errors }),
    });
    ask('sunshine1');
    expect(await screen.findByText('This password is too common. Choose another one.')).toBeTruthy();
    expect(screen.getByLabelText('New password').getAttribute('aria-invalid')).toBe('true');
    expect(server.times('POST /api/otps')).toBe(0);
  });

  it('continues only for a number with an account, and sends no code to others [AUTH-08]', async () => {
    const server = openPopup({ 'POST /api/users/uc': {} });
    ask();
    expect(await screen.findByText('User not found!')).toBeTruthy();
    expect(server.times('POST /api/otps')).toBe(0);
  });

  it('does not treat a failed check as an account [AUTH-08]', async () => {
    const server = openPopup({ 'POST /api/users/uc': new RefusedAnswer(500) });
    ask();
    expect(await screen.findByText('Server error. Try again later.')).toBeTruthy();
    expect(server.times('POST /api/otps')).toBe(0);
  });

  it('needs 8 characters', () => {
    const server = openPopup({});
    ask('1234567');
    expect(screen.getByText('Password must be at least 8 characters!')).toBeTruthy();
    expect(server.sent).toEqual([]);
  });

  it.each([
    [
      '429',
      new RefusedAnswer(429, { message: 'No', code: 'too_many_attempts' }),
      'Too many attempts. Try again later.',
    ],
    ['500', new RefusedAnswer(500), 'Server error. Try again later.'],
  ])(
    'a code that is refused with %s closes the popup and shows the reason [ERR-08] [ERR-09]',
    async (_, refused, words) => {
      openPopup({ 'POST /api/otps': refused });
      ask();
      await waitFor(() => expect(messages()).toEqual([words]));
      expect(onClose).toHaveBeenCalledOnce();
    },
  );

  it('keeps the focus, and with it the keyboard of the phone, in the field of the code after a wrong one', async () => {
    openPopup({ 'POST /api/restoration': new RefusedAnswer(422, { message: 'No', code: 'wrong_code' }) });
    ask();
    const field = await screen.findByLabelText<HTMLInputElement>('Code from the SMS');
    await waitFor(() => expect(document.activeElement).toBe(field));
    fireEvent.change(field, { target: { value: '000000' } });
    // Browsers take the focus, and phones the keyboard, from an input that is disabled during the request.
    expect([field.disabled, field.getAttribute('aria-disabled')]).toEqual([false, 'true']);
    await screen.findByText('We were unable to reset your password. Check the code and try again.');
    expect(screen.getByLabelText('Code from the SMS')).toBe(field);
    expect([document.activeElement === field, field.value]).toEqual([true, '']);
  });

  it('a failed reset is reported, and another code can be entered [ERR-10] [AUTH-10]', async () => {
    const server = openPopup({
      'POST /api/restoration': new RefusedAnswer(422, { message: 'No', code: 'wrong_code' }),
    });
    ask();
    await enterCode('000000');
    expect(
      await screen.findByText('We were unable to reset your password. Check the code and try again.'),
    ).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Code from the SMS').value).toBe('');
    server.answers['POST /api/restoration'] = {};
    await enterCode('481205');
    await waitFor(() => expect(onRestored).toHaveBeenCalled());
  });
});
