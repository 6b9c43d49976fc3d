import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from './generated/database.ts';

export type Database = Kysely<DB>;

/** Ids and sums stay far below 2^53, so a bigint column reads as an exact number; past that it is a bug to be heard. */
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
 * A statement that begins so is prepared once for each connection. For long ones whose text never changes and that come
 * many times a second: to plan one costs as much as to write a few dozen rows.
 */
export const preparedMark = '/* prepared */';

const preparedNames = new Map<string, string>();

function nameOf(text: string): string {
  const name = preparedNames.get(text) ?? `prepared-${preparedNames.size + 1}`;
  preparedNames.set(text, name);
  return name;
}

class PreparingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    const prepare = (text: unknown, values: unknown, ...rest: unknown[]) =>
      typeof text === 'string' && text.startsWith(preparedMark)
        ? query({ name: nameOf(text), text, values }, ...rest)
        : query(text, values, ...rest);
    this.query = prepare as typeof this.query;
  }
}

export interface DatabaseOptions {
  url: string;
  poolSize?: number;
  onIdleError?: (error: Error) => void;
}

export interface DatabaseHandle {
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

export function openDatabase({ url, poolSize = 20, onIdleError = () => {} }: DatabaseOptions): DatabaseHandle {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    max: poolSize,
    types,
    // A database that is away must be noticed within the patience of a person, not of a TCP stack.
    connectionTimeoutMillis: 3_000,
    // The longest honest query takes milliseconds; a runaway one must not eat the pool.
    statement_timeout: 15_000,
    // A transaction left open by a bug would hold its rows' locks for everybody.
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'fpay',
  });
  // While we close, the database may go before the last connection has said goodbye: nothing was lost then.
  let isClosing = false;
  const onLost = (error: Error) => {
    if (!isClosing) onIdleError(error);
  };
  // A connection that breaks, idle or between two queries of a transaction, raises here; unheard it would end the process.
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

/** SQLSTATE classes that say "the database is away or going", not "the query is wrong". */
const awayStates = /^(08|57P0|53300|25P03)/;
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE', 'EHOSTUNREACH']);
const awayMessages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|not queryable/i;

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return awayStates.test(code) || awayCodes.has(code) || awayMessages.test(error.message);
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== '23505') return false;
  return constraint === undefined || error.constraint === constraint;
}

/** A step that names an account which was deleted a moment ago; the trigger `refuse_deleted_user` decides it. */
export function isDeletedUser(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'user_not_deleted';
}
