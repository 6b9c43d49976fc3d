import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRepaired } from './repair-json.ts';

describe('broken JSON', () => {
  const cases: [broken: string, repaired: unknown][] = [
    ['{"a":,"b":1}', { a: null, b: 1 }],
    ['{"a": , "b": 1}', { a: null, b: 1 }],
    ['{"a":}', { a: null }],
    ['{"a":1,}', { a: 1 }],
    ['[1,2,]', [1, 2]],
    ['[1,,2]', [1, 2]],
    ['[,1]', [1]],
    ['{,"a":1}', { a: 1 }],
    ['{"a":NaN,"b":-Infinity,"c":nan}', { a: null, b: null, c: null }],
    ['{"a":"x:,,}NaN\\",","b":,}', { a: 'x:,,}NaN",', b: null }],
    ['{"a"', undefined],
    ['{"a":"', undefined],
    ['{"a" 1}', undefined],
  ];
  it.each(cases)('%s is repaired where its meaning is clear', (broken, repaired) => {
    expect(parseRepaired(broken)).toEqual(repaired);
  });

  it('is not repaired when it is too long', () => {
    expect(parseRepaired(`[${'1,'.repeat(70_000)}]`)).toBeUndefined();
  });

  it('that is valid has the same value after a repair', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseRepaired(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
