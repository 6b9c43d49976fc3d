import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { DB } from './generated/database.ts';

/**
 * One step of the product's life: state, money, log line, next due action and event change together or not at all.
 * What must happen only once it is certain (waking the next step, telling pages) is left for after the commit.
 */
export interface Step {
  db: Transaction<DB>;
  /** Tells every node that this thing changed. A row, never data: whoever cares reads it anew. */
  tell(topic: string, ref: string | number): void;
  /** Runs after the commit, in this process; lost when it dies, so it may only hasten what due work or a sweep would do. */
  afterCommit(action: () => void): void;
}

export interface Steps {
  run<T>(work: (step: Step) => Promise<T>): Promise<T>;
  /**
   * A step of one statement, which is a transaction by itself: one journey to the database instead of four, for what is done
   * thousands of times a second. What it tells it adds to the outbox in that statement.
   */
  alone<T>(statement: (db: Database) => Promise<T>): Promise<T>;
}

/** Deadlocks and serialisation failures are the database asking to try again; anything else is final. */
const retryable = new Set(['40001', '40P01']);
export const isRetryable = (error: unknown): boolean => retryable.has((error as { code?: string } | null)?.code ?? '');
const mostTries = 5;

export function createSteps(db: Database, wakeOutbox: () => void): Steps {
  async function once<T>(work: (step: Step) => Promise<T>): Promise<T> {
    const told = new Map<string, [topic: string, ref: string]>();
    const after: (() => void)[] = [];
    const result = await db.transaction().execute(async (transaction) => {
      const outcome = await work({
        db: transaction,
        tell: (topic, ref) => told.set(`${topic}:${ref}`, [topic, String(ref)]),
        afterCommit: (action) => after.push(action),
      });
      if (told.size > 0) {
        // One parameter, not two for each row: a group of readings tells of hundreds of operations.
        await sql`insert into outbox (topic, ref) select one->>0, one->>1
          from json_array_elements(${JSON.stringify([...told.values()])}::json) as one`.execute(transaction);
      }
      return outcome;
    });
    if (told.size > 0) wakeOutbox();
    for (const action of after) action();
    return result;
  }

  async function insist<T>(tryOnce: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await tryOnce();
      } catch (error) {
        if (!isRetryable(error) || attempt === mostTries) throw error;
      }
    }
  }

  return {
    run: (work) => insist(() => once(work)),
    alone: (statement) => insist(() => statement(db)),
  };
}
