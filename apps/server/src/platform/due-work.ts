import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { type Database, isDatabaseAway } from './database.ts';
import type { RowLoops } from './row-loops.ts';
import type { Step, Steps } from './step.ts';

/** A node that dies holds its rows for this long and no longer: the promise is that work goes on within 30 s. */
export const defaultLeaseMs = 25_000;
const pollMs = 1_000;
/** How many due rows are tried one by one when they cannot be claimed together. */
const mostSingly = 1_000;
/** After a step that threw: 1 s, 2 s, 4 s … so that a broken row neither spins nor sleeps for ever. */
const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;

/**
 * Rows whose next step is a column on themselves: `next_action_at` says when, the row's own state says what.
 * The table also has `due_claim` (a later claim makes the writes of an earlier one void) and `due_failures` (how often in a row
 * the step threw). Both belong to the platform: a step that throws makes the row due again after a growing pause, and a step
 * that succeeds starts the pauses from the shortest again.
 */
interface DueRows {
  name: string;
  table: string;
  /** At most so many rows at once: each may wait for a bank or a charger, but none holds a database connection meanwhile. */
  concurrency?: number;
  leaseMs?: number;
}

/** The usual kind. The platform opens the step and locks the row in it; it does not act when the claim was lost meanwhile. */
interface DueStep extends DueRows {
  /** Does the row's next step and writes what is due then. */
  act(step: Step, id: number): Promise<void>;
}

/** A kind that waits for somebody else between its steps, as payments wait for the bank. */
interface DueExchange extends DueRows {
  /** Does the row's next step and writes what is due then, guarded by the claim: `where due_claim = claim`. */
  run(id: number, claim: number): Promise<void>;
}

export type DueKind = DueStep | DueExchange;

interface Claimed {
  id: number;
  due_claim: number;
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
  steps: Steps;
  clock: Clock;
  log: Logger;
  rows: Pick<RowLoops, 'each' | 'failed'>;
}

export function createDueWork({ db, steps, clock, log, rows: rowLoops }: Dependencies): DueWork {
  const runners = new Map<string, ReturnType<typeof createRunner>>();
  let timer: NodeJS.Timeout | undefined;

  function createRunner(kind: DueKind) {
    const { table, concurrency = 20, leaseMs = defaultLeaseMs } = kind;
    const inHand = new Set<Promise<void>>();
    let isClaiming = false;
    let claimAgain = false;

    async function claimWhere(condition: RawBuilder<unknown>, most: number): Promise<Claimed[]> {
      const now = clock.now();
      const leaseEnds = new Date(now.getTime() + leaseMs);
      // Pushing the due time forward is the lease: when this node dies, the row simply becomes due again.
      const { rows } = await sql<Claimed>`
        update ${sql.table(table)} set next_action_at = ${leaseEnds}, due_claim = due_claim + 1
        where id in (
          select id from ${sql.table(table)} where next_action_at <= ${now} and ${condition}
          order by next_action_at limit ${most} for update skip locked)
        returning id, due_claim`.execute(db);
      return rows;
    }

    async function claim(): Promise<Claimed[]> {
      try {
        return await claimWhere(sql`true`, concurrency - inHand.size);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        return claimSingly();
      }
    }

    /** One of the due rows cannot be claimed: it is left out, and so are no others. */
    async function claimSingly(): Promise<Claimed[]> {
      const { rows: due } = await sql<{ id: number }>`
        select id from ${sql.table(table)} where next_action_at <= ${clock.now()}
        order by next_action_at limit ${mostSingly}`.execute(db);
      const claimed: Claimed[] = [];
      const idOf = ({ id }: { id: number }) => id;
      await rowLoops.each(`due.${kind.name}`, due, idOf, async ({ id }) => {
        if (claimed.length + inHand.size < concurrency) claimed.push(...(await claimWhere(sql`id = ${id}`, 1)));
      });
      return claimed;
    }

    async function runRow(id: number, claimed: number): Promise<void> {
      try {
        if ('act' in kind) await steps.run((step) => actOnce(step, kind, id, claimed));
        else {
          await kind.run(id, claimed);
          await forgetFailures(db, id, claimed);
        }
      } catch (error) {
        if (isDatabaseAway(error)) log.warn({ err: error, kind: kind.name, id }, 'due step postponed');
        else rowLoops.failed(`due.${kind.name}`, id, error);
        await postpone(id, claimed).catch(() => {});
      }
    }

    async function actOnce(step: Step, { act }: DueStep, id: number, claimed: number): Promise<void> {
      const { rows } = await sql`
        select from ${sql.table(table)} where id = ${id} and due_claim = ${claimed} for update`.execute(step.db);
      // The lease ran out and another node has the row now: whatever is due is its to do.
      if (rows.length === 0) return;
      await act(step, id);
      await forgetFailures(step.db, id, claimed);
    }

    async function forgetFailures(executor: Database | Step['db'], id: number, claimed: number): Promise<void> {
      await sql`
        update ${sql.table(table)} set due_failures = 0
        where id = ${id} and due_claim = ${claimed} and due_failures > 0`.execute(executor);
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
