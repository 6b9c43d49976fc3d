import { kopecks } from '@fpay/contract/money';
import { describe, expect, test } from 'vitest';
import { accountId, correct, keptEnds, network, reward, settle, walletsOf } from './transfer.ts';

const earned = accountId(600);
const reserve = { operation: 7, account: accountId(500), wallet: accountId(300), deposit: kopecks(500_00) };

describe('settling a deposit', () => {
  test('a charge cheaper than its deposit returns the rest to the wallet', () => {
    expect(settle(reserve, { total: kopecks(312_40), earned })).toEqual([
      { key: 'operation:7:earned', kind: 'earned', from: 500, to: 600, amount: 312_40, operation: 7 },
      { key: 'operation:7:return', kind: 'operation_return', from: 500, to: 300, amount: 187_60, operation: 7 },
    ]);
  });

  test('a charge as expensive as its deposit returns nothing, one that never began returns everything', () => {
    expect(settle(reserve, { total: kopecks(500_00), earned }).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['earned', 500_00],
    ]);
    expect(settle(reserve, { total: kopecks(0), earned }).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['operation_return', 500_00],
    ]);
  });

  test('a total above the deposit is a bug', () => {
    expect(() => settle(reserve, { total: kopecks(500_01), earned })).toThrow('settled more than was paid in');
  });
});

test('a correction moves only the difference, from the side that owes it', () => {
  const ends = ({ from, to, amount }: { from: number; to: number; amount: number }) => [from, to, amount];
  const to = (total: number, earlier = 0) =>
    correct(reserve, { settled: kopecks(100_00), total: kopecks(total), earlier, earned });
  expect(to(80_00).map(ends)).toEqual([[600, 300, 20_00]]);
  expect(to(130_00).map(ends)).toEqual([[300, 600, 30_00]]);
  expect(to(100_00)).toEqual([]);
  expect(to(80_00)[0]?.key).not.toBe(to(80_00, 1)[0]?.key);
});

test('a reward is paid by the operation, and its cost is carried by the promotions', () => {
  const given = { operation: 7, promo: 3, user: 9, amount: kopecks(5_00) };
  const moved = reward(given, { earned, wallet: accountId(300) });
  expect(moved.map(({ kind, from, to, amount }) => [kind, from, to, amount])).toEqual([
    ['promo', 600, 300, 5_00],
    ['reward_cost', network.promotions, network.revenue, 5_00],
  ]);
});

test('accounts are locked in the order of their ids, the network’s own never', () => {
  const between = (from: number, to: number) => ({ from: accountId(from), to: accountId(to) });
  expect(keptEnds([between(900, 200), between(network.staff, 200), between(300, network.revenue)])).toEqual([
    200, 300, 900,
  ]);
});

test('the users of each changed wallet are notified, and no others', () => {
  const gift = { kind: 'gift', from: accountId(300), to: accountId(400) } as const;
  expect(walletsOf(gift)).toEqual([300, 400]);
  expect(walletsOf({ kind: 'admin', from: network.staff, to: accountId(300) })).toEqual([300]);
  expect(walletsOf({ kind: 'earned', from: accountId(500), to: network.revenue })).toEqual([]);
  expect(walletsOf({ kind: 'operation_return', from: accountId(500), to: accountId(300) })).toEqual([300]);
});
