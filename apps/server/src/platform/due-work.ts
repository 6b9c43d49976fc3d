import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';

/** A node that dies holds its rows for this long and no longer: the promise is that work goes on within 30 s. */
export const defaultLeaseMs = 25_000;
const pollMs = 1_000;
/** After a step that threw: 1 s, 2 s, 4 s … so that a broken row neither spins nor sleeps for ever. */
const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;

/**
 * Rows whose next step is a column on themselves: `next_action_at` says when, the row's own state says what.
 * The table also has `due_claim` (who works on it; a later claim makes an earlier one's writes void) and `due_failures`.
 */
export interface DueKind {
  name: string;
  table: string;
  /** At most so many rows at once: each may wait for a bank or a charger, but none holds a database connection meanwhile. */
  concurrency?: number;
  leaseMs?: number;
  /**
   * Does the row's next step and writes what is due then, guarded by the claim: `where due_claim = claim`.
   * Throwing makes the row due again after a growing pause.
   */
  run(id: number, claim: number): Promise<void>;
}

export interface DueWork {
  register(kind: DueKind): void;
  /** The node that commits a step runs the next one at once; the poll is the safety net. */
  wake(name: string): void;
  start(): void;
  /** Takes no new rows and waits for those in hand. */
  stop(): Promise<void>;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  log: Logger;
}

export function createDueWork({ db, clock, log }: Dependencies): DueWork {
  const runners = new Map<string, ReturnType<typeof createRunner>>();
  let timer: NodeJS.Timeout | undefined;

  function createRunner(kind: DueKind) {
    const { table, concurrency = 20, leaseMs = defaultLeaseMs } = kind;
    const inHand = new Set<Promise<void>>();
    let isClaiming = false;
    let claimAgain = false;

    async function claim(): Promise<{ id: number; due_claim: number }[]> {
      const now = clock.now();
      const leaseEnds = new Date(now.getTime() + leaseMs);
      // Pushing the due time forward is the lease: when this node dies, the row simply becomes due again.
      const { rows } = await sql<{ id: number; due_claim: number }>`
        update ${sql.table(table)} set next_action_at = ${leaseEnds}, due_claim = due_claim + 1
        where id in (
          select id from ${sql.table(table)} where next_action_at <= ${now}
          order by next_action_at limit ${concurrency - inHand.size} for update skip locked)
        returning id, due_claim`.execute(db);
      return rows;
    }

    async function runRow(id: number, claimed: number): Promise<void> {
      try {
        await kind.run(id, claimed);
      } catch (error) {
        log.error({ err: error, kind: kind.name, id }, 'a due step failed and will be tried again');
        await postpone(id, claimed).catch(() => {});
      }
    }

    async function postpone(id: number, claimed: number): Promise<void> {
      const now = clock.now();
      await sql`
        update ${sql.table(table)} set due_failures = due_failures + 1, next_action_at =
          ${now}::timestamptz + least(${firstPauseMs}::float8 * power(2, least(due_failures, 20)), ${longestPauseMs}) * interval '1 ms'
        where id = ${id} and due_claim = ${claimed}`.execute(db);
    }

    async function takeDue(): Promise<void> {
      if (isClaiming) {
        claimAgain = true;
        return;
      }
      isClaiming = true;
      try {
        do {
          claimAgain = false;
          if (inHand.size >= concurrency || !timer) break;
          for (const row of await claim()) {
            const work: Promise<void> = runRow(row.id, row.due_claim).finally(() => {
              inHand.delete(work);
              // What this step made due, or what waited for a free hand, goes on without waiting for the poll.
              if (timer) void takeDue();
            });
            inHand.add(work);
          }
        } while (claimAgain);
      } catch (error) {
        log.warn({ err: error, kind: kind.name }, 'could not look for due work');
      } finally {
        isClaiming = false;
      }
    }

    return { takeDue, inHand };
  }

  return {
    register(kind) {
      runners.set(kind.name, createRunner(kind));
    },
    wake(name) {
      if (timer) void runners.get(name)?.takeDue();
    },
    start() {
      timer = setInterval(() => {
        for (const runner of runners.values()) void runner.takeDue();
      }, pollMs);
      for (const runner of runners.values()) void runner.takeDue();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await Promise.all([...runners.values()].flatMap((runner) => [...runner.inHand]));
    },
  };
}
