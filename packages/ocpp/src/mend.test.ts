import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMended } from './mend.ts';

describe('broken JSON', () => {
  const cases: [broken: string, mended: unknown][] = [
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
  it.each(cases)('%s is mended where its meaning is plain', (broken, mended) => {
    expect(parseMended(broken)).toEqual(mended);
  });

  it('is left alone when it is too long to go through by hand', () => {
    expect(parseMended(`[${'1,'.repeat(70_000)}]`)).toBeUndefined();
  });

  it('that was not broken means the same after mending', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseMended(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
