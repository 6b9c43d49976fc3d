import { AsyncLocalStorage } from 'node:async_hooks';
import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import type { DB } from './generated/database.ts';
import type { Topic, Topics } from './topics.ts';
import { inSpan } from './watching/tracing.ts';

/**
 * One database transaction in which state, money, log line, next due action and event change together or not at all.
 * Actions that must happen only when it is certain (waking due work, notifying pages) run after the commit.
 */
export interface Step {
  db: Transaction<DB>;
  /** Notifies every node that this row changed. The event carries no data; listeners read the row again. */
  publish<Name extends Topic>(topic: Name, ref: Topics[Name]): void;
  /**
   * Runs after the commit, in this process. It is lost when the process dies, so it may only speed up what due work or
   * a sweep would do.
   */
  afterCommit(action: () => void): void;
}

export interface Steps {
  run<T>(work: (step: Step) => Promise<T>): Promise<T>;
  /**
   * A step of one statement, which is a transaction by itself: one round trip instead of four, for what runs thousands
   * of times a second. The statement must insert its own outbox rows.
   */
  single<T>(statement: (db: Database) => Promise<T>): Promise<T>;
}

const stepChecks = new AsyncLocalStorage<(step: Step) => Promise<void>>();

/**
 * Every step of this work ends with the check, which throws to undo the step. At the end of a step its rows are locked, so what was
 * committed while the step waited for them counts.
 */
export function withStepCheck<T>(check: (step: Step) => Promise<void>, work: () => Promise<T>): Promise<T> {
  return stepChecks.run(check, work);
}

/** After these errors of PostgreSQL the whole step is tried again; any other error is final. */
const retryable = { '40001': 'conflict', '40P01': 'deadlock' } as const;
type RetryReason = (typeof retryable)[keyof typeof retryable];

function retryReason(error: unknown): RetryReason | null {
  const { code = '' } = (error ?? {}) as { code?: string };
  return Object.hasOwn(retryable, code) ? retryable[code as keyof typeof retryable] : null;
}

export const isRetryable = (error: unknown): boolean => retryReason(error) !== null;
const mostTries = 5;

export function createSteps(
  db: Database,
  wakeOutbox: () => void,
  onPublish: (topic: Topic, ref: string) => void = () => {},
  onRetry: (reason: RetryReason) => void = () => {},
): Steps {
  async function once<T>(work: (step: Step) => Promise<T>): Promise<T> {
    const published = new Map<string, [topic: string, ref: string]>();
    const after: (() => void)[] = [];
    const result = await db.transaction().execute(async (transaction) => {
      const step: Step = {
        db: transaction,
        publish: (topic, ref) => {
          published.set(`${topic}:${ref}`, [topic, String(ref)]);
          onPublish(topic, String(ref));
        },
        afterCommit: (action) => after.push(action),
      };
      const outcome = await work(step);
      await stepChecks.getStore()?.(step);
      if (published.size > 0) {
        // One parameter instead of two per row, because a batch of readings publishes hundreds of operations.
        await sql`insert into outbox (topic, ref) select one->>0, one->>1
          from json_array_elements(${JSON.stringify([...published.values()])}::json) as one`.execute(transaction);
      }
      return outcome;
    });
    // What is only woken here is work of others, which the check is not about.
    stepChecks.exit(() => {
      if (published.size > 0) wakeOutbox();
      for (const action of after) action();
    });
    return result;
  }

  async function withRetry<T>(tryOnce: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await tryOnce();
      } catch (error) {
        const reason = retryReason(error);
        if (reason === null || attempt === mostTries) throw error;
        onRetry(reason);
      }
    }
  }

  return {
    run: (work) => inSpan({ name: 'step' }, () => withRetry(() => once(work))),
    single: (statement) => withRetry(() => statement(db)),
  };
}
