import { expect, test } from 'vitest';
import { cardFaults, cardOf, passesLuhn, testCard } from './card.ts';

const now = Date.parse('2026-11-15T10:00:00Z');

test.each([
  ['4242424242424242', true],
  ['5555555555554444', true],
  ['4242424242424241', false],
  ['4242', false],
  ['', false],
  ['4242x24242424242', false],
  ['00000000000000000000', false],
])('the check digit of %s is valid: %s', (digits, isRight) => {
  expect(passesLuhn(digits)).toBe(isRight);
});

test.each([
  [{ ...testCard }, []],
  [{ ...testCard, expiry: '11/26' }, []],
  [{ ...testCard, expiry: '10/26' }, ['expiry']],
  [{ ...testCard, expiry: '13/30' }, ['expiry']],
  [{ ...testCard, expiry: '1239' }, []],
  [{ number: '1', expiry: '', cvv: '12' }, ['number', 'expiry', 'cvv']],
])('the card form %j has the errors %j', (form, faults) => {
  expect(cardFaults(form, now)).toEqual(faults);
});

test('only the first six and the last four digits of a card are stored', () => {
  expect(cardOf('4444 0300 0000 1902')).toMatchObject({ maskedPan: '444403******1902', paymentSystem: 'visa' });
  expect(cardOf('5555555555554444').paymentSystem).toBe('mastercard');
});
