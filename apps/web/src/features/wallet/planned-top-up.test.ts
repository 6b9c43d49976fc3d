import { kopecks } from '@fpay/contract/money';
import { expect, it } from 'vitest';
import { missingSum, planTopUp, takePlannedTopUp } from './planned-top-up.ts';

it.each([
  [165_50, 166],
  [166_00, 166],
  [1, 10],
  [9_99, 10],
])('what is missing, %i kopecks, is topped up with %i hryvnias', (lack, hryvnias) => {
  expect(missingSum(kopecks(lack))).toBe(hryvnias);
});

it('a planned top-up is taken once', () => {
  const planned = {
    charge: '100 кВт·год',
    deposit: kopecks(1450_00),
    balance: kopecks(1284_50),
    lack: kopecks(165_50),
  };
  planTopUp(planned);
  expect(takePlannedTopUp()).toEqual(planned);
  expect(takePlannedTopUp()).toBeNull();
});
