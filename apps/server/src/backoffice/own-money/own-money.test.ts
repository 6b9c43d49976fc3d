import { expect, test } from 'vitest';
import { moneyAnswer, type Tie, tieKinds } from './own-money.ts';

const tie = (kind: Tie['kind'], value: string): Tie => ({ kind, value });
const staff = tieKinds.map((kind) => tie(kind, '7'));

test.each(tieKinds.map((kind) => [kind, kind === 'card' ? 'second_person' : 'own'] as const))(
  'a shared %s answers %s [ADM-OP-30]',
  (kind, answer) => {
    expect(moneyAnswer(staff, [tie('account', '8'), tie(kind, '7')])).toBe(answer);
    expect(moneyAnswer(staff, [tie('account', '8'), tie(kind, '9')])).toBe('free');
  },
);

test('a shared card beside a stronger tie is own money, and nothing in common is free', () => {
  expect(moneyAnswer(staff, [tie('card', '7'), tie('wallet', '7')])).toBe('own');
  expect(moneyAnswer(staff, [])).toBe('free');
  // The number of a party is not the number of a wallet.
  expect(moneyAnswer([tie('party', '7')], [tie('wallet', '7')])).toBe('free');
});
