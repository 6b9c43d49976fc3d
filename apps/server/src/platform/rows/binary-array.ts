const oneDimension = 20;
const isNull = -1;
const byteaOid = 17;

interface Width {
  oid: number;
  bytes: 4 | 8;
  most: number;
}

const integer: Width = { oid: 23, bytes: 4, most: 2 ** 31 - 1 };
const bigint: Width = { oid: 20, bytes: 8, most: Number.MAX_SAFE_INTEGER };

/**
 * Encodes a column of numbers as one parameter in PostgreSQL's binary format. As text each number is formatted here and
 * parsed there, which took a tenth of the time on both sides for a batch of readings with two dozen columns.
 */
export const integers = <Row>(rows: readonly Row[], of: (row: Row) => number | null): Buffer =>
  arrayOf(integer, rows, of);

/** The same for `bigint`. */
export const bigints = <Row>(rows: readonly Row[], of: (row: Row) => number | null): Buffer =>
  arrayOf(bigint, rows, of);

/** The same for `bytea`. As text the driver would write two digits for each byte. */
export function byteStrings<Row>(rows: readonly Row[], of: (row: Row) => Buffer): Buffer {
  const array = Buffer.allocUnsafe(rows.reduce((sum, row) => sum + 4 + of(row).length, oneDimension));
  let at = oneDimension;
  for (const row of rows) {
    const value = of(row);
    array.writeInt32BE(value.length, at);
    value.copy(array, at + 4);
    at += 4 + value.length;
  }
  array.writeInt32BE(1, 0);
  array.writeInt32BE(0, 4);
  array.writeInt32BE(byteaOid, 8);
  array.writeInt32BE(rows.length, 12);
  array.writeInt32BE(1, 16);
  return array;
}

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
    // As text the database would refuse such a number; as bytes it would read a different number.
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
