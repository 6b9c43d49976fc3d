import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { kyivDate, kyivTimeWithSeconds } from '../../platform/kyiv-time.ts';

export type Cell = string | number | null;

/** How a spreadsheet recognises a formula; the last four are the wide forms of `=+-@`. */
const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
/** A phone number or a sum below zero begins like a formula and cannot be one. */
const plainNumber = /^[+-]\d+(,\d+)?$/;

/** A cell that begins like a formula gets an apostrophe: a driver's name must not run on a colleague's computer. */
const withoutFormula = (text: string) => (formula.test(text) && !plainNumber.test(text) ? `'${text}` : text);

/** A spreadsheet in Ukrainian reads `;` between cells and a comma in numbers, and needs the mark to know UTF-8. */
export function csvStream(header: readonly string[], rows: AsyncIterable<Cell[]>): Readable {
  const csv = stringify({
    bom: true,
    delimiter: ';',
    record_delimiter: 'windows',
    cast: { string: withoutFormula },
    header: true,
    columns: [...header],
  });
  // An error of the source ends the answer in the middle, so that a part is not taken for the whole.
  pipeline(Readable.from(rows), csv, () => {});
  return csv;
}

/** Hundredths and thousandths with a decimal comma. */
export const hryvnias = (kopecks: number): string => (kopecks / 100).toFixed(2).replace('.', ',');
export const kilowattHours = (wattHours: number): string => (wattHours / 1000).toFixed(3).replace('.', ',');
export const moment = (iso: string | null): string =>
  iso === null ? '' : `${kyivDate(new Date(iso))} ${kyivTimeWithSeconds(new Date(iso))}`;

/** Pages of a list, one after the other, until one is not full: memory holds one page whatever the size of the table. */
export async function* pagesOf<Row>(
  size: number,
  pageAfter: (last: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row, void> {
  for (let last: Row | null = null; ; ) {
    const page: Row[] = await pageAfter(last);
    yield* page;
    if (page.length < size) return;
    last = page.at(-1) ?? null;
  }
}
