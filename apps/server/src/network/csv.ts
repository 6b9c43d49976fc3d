export interface CsvRow {
  /** Where it begins; a quoted cell may run over several lines. */
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

/** RFC 4180, and what spreadsheets make of it: a byte-order mark, `;` where the comma is the decimal sign, either line end. */
export function parseCsv(text: string): CsvRow[] {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const separator = separatorOf(body);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let line = 1;
  let rowLine = 1;
  /** `closed`: after the closing quote nothing but a separator or the row's end may come. */
  let state: 'bare' | 'quoted' | 'closed' = 'bare';

  function endCell(): void {
    cells.push(cell);
    cell = '';
    state = 'bare';
  }
  function endRow(): void {
    endCell();
    // A line with nothing on it is no row.
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: rowLine, cells });
    cells = [];
  }

  for (let at = 0; at < body.length; at += 1) {
    const char = body[at];
    const isLineEnd = char === '\n' || (char === '\r' && body[at + 1] === '\n');
    if (state === 'quoted') {
      if (char === '\n') line += 1;
      if (char !== '"') cell += char;
      else if (body[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else state = 'closed';
    } else if (char === separator) endCell();
    else if (isLineEnd) {
      if (char === '\r') at += 1;
      endRow();
      line += 1;
      rowLine = line;
    } else if (state === 'closed') throw new CsvError(line, 'there is text after a closing quote');
    else if (char === '"' && cell === '') state = 'quoted';
    else if (char === '"') throw new CsvError(line, 'there is a quote in the middle of a cell');
    else cell += char;
  }
  if (state === 'quoted') throw new CsvError(rowLine, 'a quote is never closed');
  if (cell !== '' || cells.length > 0 || state === 'closed') endRow();
  return rows;
}

function separatorOf(text: string): ',' | ';' {
  const [head = ''] = text.split('\n', 1);
  return head.split(';').length > head.split(',').length ? ';' : ',';
}

/** Spreadsheets run a cell that starts like this as a formula; an apostrophe makes it text. */
const formulaStart = /^[=+\-@\t\r]/;

/** With a mark and `;`, so that a spreadsheet in Ukraine opens it as a table. */
export function formatCsv(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(formatCell).join(';')}\r\n`).join('')}`;
}

function formatCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value).replace('.', ',');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const safe = formulaStart.test(value) ? `'${value}` : value;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell.slice(1)) ? cell.slice(1) : cell;
}
