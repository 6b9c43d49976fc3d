import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/**
 * The data of the third parties in one SQLite file, so that it survives a restart. Calls are synchronous, so a request
 * is answered from one consistent state.
 */
export interface Database {
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Returns the new row's id where the table has one. */
  run(sql: string, ...values: SQLInputValue[]): number;
  /** Creates tables; each part has its own. */
  schema(sql: string): void;
  /** Commits everything or nothing; a nested transaction joins the outer one. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

export function openDatabase(dataDir: string): Database {
  const folder = join(dataDir, 'sandbox');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const sqlite = new DatabaseSync(join(folder, 'sandbox.sqlite'));
  // With a write-ahead log a killed process loses nothing that was committed. NORMAL saves a disk flush per call and
  // risks only the last moments before a power failure, which is acceptable for test money.
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');

  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };

  return {
    all: <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as Row[],
    get: <Row>(sql: string, ...values: SQLInputValue[]) => prepare(sql).get(...values) as Row | undefined,
    run: (sql, ...values) => Number(prepare(sql).run(...values).lastInsertRowid),
    schema: (sql) => sqlite.exec(sql),
    transaction(work) {
      if (sqlite.isTransaction) return work();
      sqlite.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        sqlite.exec('COMMIT');
        return result;
      } catch (error) {
        sqlite.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => sqlite.close(),
  };
}
