const oneDimension = 20;
const isNull = -1;

interface Width {
  oid: number;
  bytes: 4 | 8;
  most: number;
}

const integer: Width = { oid: 23, bytes: 4, most: 2 ** 31 - 1 };
const bigint: Width = { oid: 20, bytes: 8, most: Number.MAX_SAFE_INTEGER };

/**
 * A column of numbers as one parameter, in PostgreSQL's own binary form. As text every number is written out here and read
 * again there: for a group of readings with its two dozen columns that was a tenth of the work on both sides.
 */
export const integers = <Row>(rows: readonly Row[], of: (row: Row) => number | null): Buffer =>
  arrayOf(integer, rows, of);

/** The same for `bigint`. */
export const bigints = <Row>(rows: readonly Row[], of: (row: Row) => number | null): Buffer =>
  arrayOf(bigint, rows, of);

function arrayOf<Row>({ oid, bytes, most }: Width, rows: readonly Row[], of: (row: Row) => number | null): Buffer {
  const array = Buffer.allocUnsafe(oneDimension + rows.length * (4 + bytes));
  const view = new DataView(array.buffer, array.byteOffset, array.length);
  let hasNull = 0;
  let at = oneDimension;
  for (const row of rows) {
    const value = of(row);
    if (value === null) {
      hasNull = 1;
      view.setInt32(at, isNull);
      at += 4;
      continue;
    }
    // The database would refuse it as text; as bytes it would take it for another number.
    if (!Number.isSafeInteger(value) || value > most || value < -most) throw new RangeError(`${value} does not fit`);
    view.setInt32(at, bytes);
    if (bytes === 8) view.setInt32(at + 4, Math.floor(value / 2 ** 32));
    view.setInt32(at + bytes, value | 0);
    at += 4 + bytes;
  }
  view.setInt32(0, 1);
  view.setInt32(4, hasNull);
  view.setInt32(8, oid);
  view.setInt32(12, rows.length);
  view.setInt32(16, 1);
  return array.subarray(0, at);
}
