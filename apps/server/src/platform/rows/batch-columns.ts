import { type RawBuilder, sql } from 'kysely';
import { bigints, integers } from './binary-array.ts';

/** A column of a batch: its name in the statement, and what a row has in it. A text has one line. */
export type BatchColumn<Row> = { name: string } & (
  | { type: 'int' | 'bigint'; of: (row: Row) => number | null }
  | { type: 'text'; of: (row: Row) => string }
);

/**
 * Rows as a relation with one parameter for each column, so that the statement is the same for any number of rows. Names and
 * values come from one list and cannot be swapped.
 */
export function unnested<Row>(
  alias: string,
  rows: readonly Row[],
  columns: readonly BatchColumn<Row>[],
): RawBuilder<unknown> {
  const arrays = columns.map((column) => arrayOf(rows, column));
  const names = columns.map(({ name }) => sql.ref(name));
  return sql`unnest(${sql.join(arrays)}) as ${sql.ref(alias)} (${sql.join(names)})`;
}

function arrayOf<Row>(rows: readonly Row[], column: BatchColumn<Row>): RawBuilder<unknown> {
  // As an array the database driver would quote and escape every text.
  if (column.type === 'text') return sql`string_to_array(${rows.map(column.of).join('\n')}, E'\\n')`;
  return column.type === 'int' ? sql`${integers(rows, column.of)}::int[]` : sql`${bigints(rows, column.of)}::bigint[]`;
}
