import { CsvError as ParserError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

export interface CsvRow {
  /** The line on which the row begins; a quoted cell may run over several lines. */
  line: number;
  cells: string[];
}

export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.name = 'CsvError';
    this.line = line;
  }
}

/** Reasons for the person who has to correct the file; the parser's own messages mention its options. */
const reasons: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote',
  INVALID_OPENING_QUOTE: 'there is a quote in the middle of a cell',
};

/**
 * Reads RFC 4180 and the variants that spreadsheets write: a byte-order mark, `;` where the comma is the decimal sign,
 * either line end.
 */
export function parseCsv(text: string): CsvRow[] {
  try {
    const rows = parse(text, {
      bom: true,
      delimiter: separatorOf(text),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    // The parser reports the line on which a record ends, so the line ends inside its cells are subtracted.
    return rows.map(({ record, info }) => ({ line: info.lines - lineEndsIn(record), cells: record }));
  } catch (error) {
    if (!(error instanceof ParserError)) throw error;
    throw new CsvError(Number(error.lines ?? 1), reasons[error.code] ?? error.message);
  }
}

function lineEndsIn(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + cell.split('\n').length - 1, 0);
}

function separatorOf(text: string): ',' | ';' {
  const [head = ''] = text.split('\n', 1);
  return head.split(';').length > head.split(',').length ? ';' : ',';
}

/** Spreadsheets run a cell that starts like this as a formula; an apostrophe makes it text. */
const formulaStart = /^[=+\-@\t\r]/;

/** Writes a byte-order mark and `;`, so that a spreadsheet with Ukrainian settings opens the file as a table. */
export function formatCsv(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  return stringify(rows as unknown[][], {
    bom: true,
    delimiter: ';',
    record_delimiter: 'windows',
    cast: {
      string: (text) => (formulaStart.test(text) ? `'${text}` : text),
      number: (number) => String(number).replace('.', ','),
      boolean: (isTrue) => (isTrue ? 'yes' : 'no'),
    },
  });
}

export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell.slice(1)) ? cell.slice(1) : cell;
}
