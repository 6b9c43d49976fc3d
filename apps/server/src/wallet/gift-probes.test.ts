import { expect, test } from 'vitest';
import type { Limit } from '../platform/rate-limits.ts';
import { createGiftProbes } from './gift-probes.ts';

test('a lookup of a recipient counts per user and per address, an IPv6 address as its /64', async () => {
  const taken: string[] = [];
  const limits = {
    take: async ({ key }: Limit) => void taken.push(key),
    check: async () => {},
  };
  const probes = createGiftProbes(limits);
  for (const address of ['2001:db8:0:1::1', '2001:db8:0:1::2', '198.51.100.7'])
    await probes.count({ user: 7, address });
  expect(taken.filter((key) => key.includes(':address:'))).toEqual([
    'gift-probe:address:2001:db8:0:1::/64',
    'gift-probe:address:2001:db8:0:1::/64',
    'gift-probe:address:198.51.100.7',
  ]);
  expect(taken.filter((key) => key.includes(':user:'))).toEqual(Array(3).fill('gift-probe:user:7'));
});
