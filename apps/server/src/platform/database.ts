import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { DB } from './generated/database.ts';
import { PrimaryClient } from './primary.ts';

export type Database = Kysely<DB>;

/**
 * Ids and sums stay far below 2^53, so a bigint column is read as an exact number. A larger value is a bug and throws.
 */
function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`The database holds ${text}, which is past exact numbers`);
  return value;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? exactNumber
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * A statement that begins with this marker is prepared once per connection. It is meant for long statements with
 * constant text that run many times a second, because planning one costs as much as writing a few dozen rows.
 */
export const preparedStatementMarker = '/* prepared */';

const preparedNames = new Map<string, string>();

function nameOf(text: string): string {
  const name = preparedNames.get(text) ?? `prepared-${preparedNames.size + 1}`;
  preparedNames.set(text, name);
  return name;
}

/** A client that prepares the statements that `isPrepared` names, once per connection. */
function preparing(isPrepared: (text: string) => boolean): typeof PrimaryClient {
  return class extends PrimaryClient {
    constructor(config: pg.ClientConfig & { connectionString: string }) {
      super(config);
      const query = this.query.bind(this) as (...given: unknown[]) => unknown;
      const prepare = (text: unknown, values: unknown, ...rest: unknown[]) =>
        typeof text === 'string' && Array.isArray(values) && isPrepared(text)
          ? query({ name: nameOf(text), text, values }, ...rest)
          : query(text, values, ...rest);
      this.query = prepare as typeof this.query;
    }
  };
}

const MarkedPreparingClient = preparing((text) => text.startsWith(preparedStatementMarker));
const AllPreparingClient = preparing(() => true);

export interface DatabaseOptions {
  /** May name several hosts; connections then go to the one that takes writes. */
  url: string;
  /**
   * True when the address is a pool in transaction mode (PgBouncer): two statements of ours may run on two connections,
   * so nothing is prepared, and the pool refuses settings at the start of a connection. The role carries them instead.
   */
  isPooled?: boolean;
  /**
   * For a run that plays the same few hundred statements thousands of times on little data. A production table needs its
   * plan made for the values of the statement.
   */
  preparesAll?: boolean;
  poolSize?: number;
  /** A user waits for the answer, so an unreachable database must be noticed earlier than the TCP stack does. */
  connectTimeoutMs?: number;
  onIdleError?: (error: Error) => void;
}

export interface DatabaseHandle {
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Limits that a connection of the product has; behind a pool the operator gives them to the role. */
export const sessionLimits = {
  // The longest regular query takes milliseconds; a runaway query must not occupy the pool.
  statement_timeout: 15_000,
  // A transaction that a bug leaves open would hold its row locks and block other steps.
  idle_in_transaction_session_timeout: 15_000,
} as const;

export function openDatabase(options: DatabaseOptions): DatabaseHandle {
  const { url, isPooled = false, preparesAll = false, poolSize = 20 } = options;
  const { connectTimeoutMs = 3_000, onIdleError = () => {} } = options;
  const PreparingClient = preparesAll ? AllPreparingClient : MarkedPreparingClient;
  const pool = new pg.Pool({
    // The pool passes its own options, so the address is always there.
    Client: (isPooled ? PrimaryClient : PreparingClient) as typeof pg.Client,
    connectionString: url,
    max: poolSize,
    types,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(isPooled ? {} : sessionLimits),
    application_name: 'fpay',
  });
  // During a shutdown the database may stop before the last connection is closed. That loses nothing and is not logged.
  let isClosing = false;
  const onLost = (error: Error) => {
    if (!isClosing) onIdleError(error);
  };
  // The pool reports a broken connection here, idle or between two queries of a transaction. Without a listener it
  // would end the process.
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    close() {
      isClosing = true;
      return db.destroy();
    },
  };
}

/** Differs between databases, as after a restored backup: the time when the database was created identifies it. */
export async function databaseMark(db: Database): Promise<string> {
  const { rows } = await sql<{ mark: string }>`select md5(min(applied_at)::text) as mark from migrations`.execute(db);
  return rows[0]?.mark.slice(0, 6) ?? '';
}

/**
 * A list of constants of ours for `in (…)`, written into the statement and not sent as parameters: the planner of a
 * prepared statement proves only from constants that a partial index can answer.
 */
export function literals(values: readonly string[]): RawBuilder<unknown> {
  return sql.join(values.map((value) => sql.lit(value)));
}

/**
 * SQLSTATE classes that mean "the database is away or stopping", not "the query is wrong". 25006 is a write on a
 * standby: the primary has moved to another host.
 */
const awayStates = /^(08|57P0|53300|25P03|25006)/;
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE', 'EHOSTUNREACH']);
const awayMessages =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|not queryable/i;

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return awayStates.test(code) || awayCodes.has(code) || awayMessages.test(error.message);
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false;
  return constraint === undefined || error.constraint === constraint;
}

/**
 * True for a step that refers to an account which was deleted a moment ago; the trigger `refuse_deleted_user` raises
 * the error.
 */
export function isDeletedUser(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'user_not_deleted';
}
