import { describe, expect, it } from 'vitest';
import { formatCsv, parseCsv, withoutGuard } from './csv.ts';

const cellsOf = (text: string) => parseCsv(text).map(({ cells }) => cells);

describe('CSV', () => {
  it.each([
    [
      'plain rows',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'no line end at the end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'Windows line ends',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a byte-order mark and semicolons',
      '\uFEFFa;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'quotes, separators and lines in a cell',
      'a,b\n"x, ""y""","1\n2"\n',
      [
        ['a', 'b'],
        ['x, "y"', '1\n2'],
      ],
    ],
    [
      'empty cells and empty lines',
      'a,b\n\n,\n"",x',
      [
        ['a', 'b'],
        ['', ''],
        ['', 'x'],
      ],
    ],
    [
      'a lone quoted empty cell at the end',
      'a,b\n1,""',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['nothing', '', []],
  ])('reads %s', (_, text, expected) => {
    expect(cellsOf(text)).toEqual(expected);
  });

  it('knows the line on which each row begins', () => {
    expect(parseCsv('a\n"1\n2"\n\n3').map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it.each([
    ['a,b\n1,"2', 'a quote is never closed'],
    ['a,b\n1,"2"x', 'there is text after a closing quote'],
    ['a,b\n1,2"', 'there is a quote in the middle of a cell'],
  ])('explains the error in %j', (text, reason) => {
    expect(() => parseCsv(text)).toThrow(reason);
  });

  it('writes what it reads, for a spreadsheet that uses the decimal comma and runs formulas', () => {
    const rows = [
      ['text', 'number', 'flag'],
      ['a;"b"\n', 48.4647, true],
      ['=HYPERLINK("x")', null, false],
    ];
    const text = formatCsv(rows);
    expect(text).toBe('\uFEFFtext;number;flag\r\n"a;""b""\n";48,4647;yes\r\n"\'=HYPERLINK(""x"")";;no\r\n');
    expect(cellsOf(text)[2]?.map(withoutGuard)).toEqual(['=HYPERLINK("x")', '', 'no']);
  });
});
