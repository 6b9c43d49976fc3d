import { kopecks } from '@fpay/contract/money';
import { describe, expect, it } from 'vitest';
import { amountOf, lackOf, stepped, typedAmount } from './amount.ts';

const price = kopecks(14_50);
const asked = (typed: string, target: 'kwh' | 'uah', method: 'card' | 'balance') =>
  amountOf({ typed, target, method, price })?.deposit ?? null;

describe('an amount', () => {
  it.each([
    ['0.99', null],
    ['1', 14_50],
    ['200', 2900_00],
    ['200.01', null],
    ['', null],
    ['1e2', null],
    ['10,5', 152_25],
    ['10.555', null],
  ])('of %s kWh by card [VAL-19]', (typed, deposit) => {
    expect(asked(typed, 'kwh', 'card')).toBe(deposit);
  });

  it.each([
    ['0,99', null],
    ['1', 1_00],
    ['3000', 3000_00],
    ['3000.01', null],
    ['-5', null],
  ])('of %s UAH by card [VAL-20]', (typed, deposit) => {
    expect(asked(typed, 'uah', 'card')).toBe(deposit);
  });

  it('from the balance has the same minimum as by card, and above that only the balance limits it', () => {
    expect(asked('3001', 'uah', 'balance')).toBe(3001_00);
    expect(asked('1', 'kwh', 'balance')).toBe(14_50);
    expect(asked('0.99', 'kwh', 'balance')).toBeNull();
    expect(asked('0.99', 'uah', 'balance')).toBeNull();
    expect(asked('500.01', 'kwh', 'balance')).toBeNull();
  });

  it('steps by whole units and stops at the limits', () => {
    expect(stepped('10', 'kwh', 'card', 1)).toBe('11');
    expect(stepped('10.5', 'kwh', 'card', -1)).toBe('10');
    expect(stepped('1', 'kwh', 'card', -1)).toBe('1');
    expect(stepped('200', 'kwh', 'card', 1)).toBe('200');
    expect(stepped('55', 'uah', 'card', 1)).toBe('60');
    expect(stepped('', 'uah', 'balance', 1)).toBe('10');
  });
});

describe('a balance', () => {
  it('is short by the difference to the deposit [PAY-06] [PAY-07]', () => {
    const kwh = amountOf({ typed: '100', target: 'kwh', method: 'balance', price });
    expect(lackOf(kwh?.deposit ?? kopecks(0), kopecks(1284_50), 'balance')).toBe(165_50);
    const uah = amountOf({ typed: '100', target: 'uah', method: 'balance', price });
    expect(lackOf(uah?.deposit ?? kopecks(0), kopecks(99_99), 'balance')).toBe(1);
    expect(lackOf(uah?.deposit ?? kopecks(0), kopecks(100_00), 'balance')).toBe(0);
  });

  it('does not matter for a card [PAY-09]', () => {
    expect(lackOf(kopecks(2900_00), kopecks(0), 'card')).toBe(0);
  });
});

describe('what is typed as an amount', () => {
  it.each([
    ['1.555', '1.55'],
    ['12,5', '12,5'],
    ['1.2.3', '1.23'],
    ['10 kWh', '10'],
    ['x', ''],
    ['7.', '7.'],
  ])('%s becomes %s', (input, kept) => expect(typedAmount(input)).toBe(kept));
});
