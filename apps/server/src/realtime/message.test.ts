import { describe, expect, test } from 'vitest';
import { messageFaultOf } from './message.ts';

describe('messages to a group', () => {
  test.each([
    { type: 'operation_update' },
    { type: 'wallet_balance_update', balance: 312_40 },
    { type: 'rfid_card_update', eventType: 'cardAdded', cardId: 17 },
    { type: 'rfid_card_update', eventType: 'requestFailed', stationNumber: 'F1234' },
    { type: 'operation_update', isOpen: false, car: null },
  ])('%j may be sent', (message) => {
    expect(messageFaultOf(message)).toBeNull();
  });

  test.each([
    'password',
    'passwordHash',
    'password_hash',
    'resetToken',
    'access_token',
    'OTP',
    'OTPCode',
    'pin',
    'sessionId',
    'signature',
    'x-api-secret',
  ])('a message with a field called %s is not sent [LIVE-15]', (field) => {
    expect(messageFaultOf({ type: 'user_update', [field]: 'x' })).toBe(`${field} looks like a secret`);
  });

  test('a message without a type is not sent [LIVE-15]', () => {
    expect(messageFaultOf({ type: '' })).toBe('it has no type');
    expect(messageFaultOf({ balance: 1 } as never)).toBe('it has no type');
  });

  test.each([
    ['an object', { name: 'Olena' }],
    ['a list', [1, 2]],
    ['a long text', 'x'.repeat(257)],
    ['a date', new Date(0)],
    ['no number', Number.NaN],
    ['nothing', undefined],
  ])('a message whose field is %s is not sent, so that a whole row cannot leak [LIVE-15]', (_what, value) => {
    expect(messageFaultOf({ type: 'user_update', user: value })).toBe('user is not a short plain value');
  });

  test('a message with very many fields is not sent', () => {
    const fields = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`f${index}`, index]));
    expect(messageFaultOf({ type: 'user_update', ...fields })).toBe('it has more than 16 fields');
  });
});
