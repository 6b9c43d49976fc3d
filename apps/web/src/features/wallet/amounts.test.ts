// @vitest-environment node
import { kopecks } from '@fpay/contract/money';
import { describe, expect, it } from 'vitest';
import { ApiError, NetworkError } from '../../api/errors.ts';
import { giftFaults, topUpAmount } from './amounts.ts';
import { giftRefusal } from './gift-refusal.ts';

const giver = { phone_number: '+380671234567', balance: kopecks(1284_50) };
const to = '+380501112233';

describe('a gift', () => {
  it.each([
    ['+380501112233', undefined],
    // 5 and 15 characters, and one too few and too many.
    ['+1234', undefined],
    ['+12345678901234', undefined],
    ['+123', 'balance:phoneInvalid'],
    ['+123456789012345', 'balance:phoneInvalid'],
    ['380501112233', 'balance:phoneInvalid'],
    ['', 'balance:phoneInvalid'],
    ['+380671234567', 'balance:ownPhone'],
  ])('to %j is marked %s [VAL-07]', (phone, fault) => {
    expect(giftFaults({ to: phone, amount: '10' }, giver).to).toBe(fault);
  });

  it.each([
    ['0', 'generic:invalidAmount'],
    ['0,00', 'generic:invalidAmount'],
    ['-5', 'generic:invalidAmount'],
    ['', 'generic:invalidAmount'],
    ['0,01', undefined],
    ['1284,50', undefined],
    ['1284,51', 'refusals:insufficientBalance'],
  ])('of %j hryvnias from 1284,50 is marked %s [VAL-15]', (amount, fault) => {
    expect(giftFaults({ to, amount }, giver).amount).toBe(fault);
  });

  it.each([
    ['10,55', undefined],
    ['10.5', undefined],
    ['10,555', 'generic:invalidAmount'],
    ['10.001', 'generic:invalidAmount'],
  ])('of %j has at most two decimals: %s [VAL-16]', (amount, fault) => {
    expect(giftFaults({ to, amount }, giver).amount).toBe(fault);
  });
});

const refused = (status: number, code: string | null = null, errors: Record<string, string[]> = {}) =>
  new ApiError({ status, message: 'No', code, errors, retryAfter: null, serverTime: null });

describe('a refused gift shows', () => {
  it.each([
    [
      '404: no such user [ERR-11]',
      refused(404, 'user_not_found'),
      { faults: { to: 'refusals:userNotFound' }, message: null },
    ],
    [
      '403: not to this user [ERR-12]',
      refused(403, 'transfer_refused'),
      { faults: {}, message: 'refusals:transferRefused' },
    ],
    ['409 and other 4xx: the same [ERR-12]', refused(409), { faults: {}, message: 'refusals:transferRefused' }],
    ['500: the server failed [ERR-13]', refused(500), { faults: {}, message: 'refusals:serverError' }],
    ['502: the same [ERR-13]', refused(502), { faults: {}, message: 'refusals:serverError' }],
    [
      '422: the number is wrong [ERR-14]',
      refused(422, 'invalid_input', { to: ['x'] }),
      { faults: { to: 'balance:phoneInvalid' }, message: null },
    ],
    [
      '422 without a field: the number is wrong [ERR-14]',
      refused(422, 'invalid_input'),
      { faults: { to: 'balance:phoneInvalid' }, message: null },
    ],
    [
      '422 of the amount',
      refused(422, 'invalid_input', { amount: ['x'] }),
      { faults: { amount: 'generic:invalidAmount' }, message: null },
    ],
    [
      '402: too little money',
      refused(402, 'insufficient_balance'),
      { faults: { amount: 'refusals:insufficientBalance' }, message: null },
    ],
    [
      'that only the owner of a shared wallet gives',
      refused(403, 'only_owner_gifts'),
      { faults: {}, message: 'refusals:onlyOwnerGifts' },
    ],
    ['without an answer', new NetworkError('x'), { faults: {}, message: 'generic:noConnectionText' }],
  ] as const)('%s', (_, error, said) => {
    expect(giftRefusal(error)).toEqual(said);
  });
});

it.each([
  ['9,99', null],
  ['10', 10_00],
  ['100,5', 100_50],
  ['10000', 10_000_00],
  ['10000,01', null],
  ['', null],
  ['12,345', null],
  ['сто', null],
])('a top-up of %j is %s [VAL-18]', (typed, amount) => {
  expect(topUpAmount(typed)).toBe(amount);
});
