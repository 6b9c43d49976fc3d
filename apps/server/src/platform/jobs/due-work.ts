import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { type Database, isDatabaseAway, preparedStatementMarker } from '../database.ts';
import type { RowLoops } from '../rows/row-loops.ts';
import type { Step, Steps } from '../step.ts';
import { noTracing, type Tracing } from '../watching/tracing.ts';

/** A node that dies holds its rows for this long and no longer, because the work must go on elsewhere within 30 s. */
export const defaultLeaseMs = 25_000;
const pollMs = 1_000;
/** How many due rows are tried one by one when they cannot be claimed together. */
const mostSingly = 1_000;
/**
 * The pauses after failures are 1 s, 2 s, 4 s …, so that a failing row neither loops without a pause nor stops being
 * tried.
 */
const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;

/**
 * The kinds of due work, each with its table. The platform knows none of them: the product declares its kinds by merging them
 * into this interface (`seams.ts`), so waking or registering an undeclared kind does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the product adds the members by declaration merging
export interface DueKinds {}

/**
 * Rows whose next step is a column on themselves: `next_action_at` says when, the row's own state says what.
 * The table also has `due_claim` (a later claim makes the writes of an earlier one void) and `due_failures` (how often in a row
 * the step threw). Both belong to the platform: a step that throws makes the row due again after a growing pause, and a step
 * that succeeds starts the pauses from the shortest again.
 */
interface DueRows<Kinds, Name extends keyof Kinds> {
  name: Name;
  table: Kinds[Name];
  /**
   * How many rows are processed at once. Each may wait for a bank or a charger, but none holds a database connection
   * meanwhile.
   */
  concurrency?: number;
  leaseMs?: number;
}

/**
 * The usual kind. The platform opens the step and locks the row in it; it does not act when the claim was lost in the
 * meantime.
 */
interface DueStep<Kinds, Name extends keyof Kinds> extends DueRows<Kinds, Name> {
  /** Takes the locks that other steps take before they come to this row, so that none waits for the other. */
  lockFirst?(step: Step, id: number): Promise<unknown>;
  /** Does the row's next step and writes what is due then. */
  act(step: Step, id: number): Promise<void>;
}

/** A kind that waits for an external system between its steps, as payments wait for the bank. */
interface DueExchange<Kinds, Name extends keyof Kinds> extends DueRows<Kinds, Name> {
  /** Does the row's next step and writes what is due then, guarded by the claim: `where due_claim = claim`. */
  run(id: number, claim: number): Promise<void>;
}

/** The table of kinds is a parameter only so that a test can bring its own. */
export type DueKind<Kinds = DueKinds> = {
  [Name in keyof Kinds]: DueStep<Kinds, Name> | DueExchange<Kinds, Name>;
}[keyof Kinds];

type AnyKind = DueKind<Record<string, string>>;

interface Claimed {
  id: number;
  due_claim: number;
  due_failures: number;
}

export interface DueWork<Kinds = DueKinds> {
  register(kind: DueKind<Kinds>): void;
  /** Runs due rows at once on the node that has committed a step; the poll is the fallback. */
  wake(name: keyof Kinds): void;
  start(): void;
  /** Takes no new rows and waits for those in progress. */
  stop(): Promise<void>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  log: Logger;
  rows: Pick<RowLoops, 'each' | 'failed'>;
  tracing?: Tracing;
}

export function createDueWork<Kinds extends { [Name in keyof Kinds]: string } = DueKinds>(
  dependencies: Dependencies,
): DueWork<Kinds> {
  const { db, steps, clock, log, rows: rowLoops, tracing = noTracing } = dependencies;
  const runners = new Map<keyof Kinds, ReturnType<typeof createRunner>>();
  const tables = new Map<keyof Kinds, string>();
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;

  function createRunner(kind: AnyKind) {
    const { table, concurrency = 20, leaseMs = defaultLeaseMs } = kind;
    const inProgress = new Set<Promise<void>>();
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
        returning id, due_claim, due_failures`.execute(db);
      return rows;
    }

    async function claim(): Promise<Claimed[]> {
      try {
        return await claimWhere(sql`true`, concurrency - inProgress.size);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        return claimSingly();
      }
    }

    /** When one of the due rows cannot be claimed, only that row is left out. */
    async function claimSingly(): Promise<Claimed[]> {
      const { rows: due } = await sql<{ id: number }>`
        select id from ${sql.table(table)} where next_action_at <= ${clock.now()}
        order by next_action_at limit ${mostSingly}`.execute(db);
      const claimed: Claimed[] = [];
      const idOf = ({ id }: { id: number }) => id;
      await rowLoops.each(`due.${kind.name}`, due, idOf, async ({ id }) => {
        if (claimed.length + inProgress.size < concurrency) claimed.push(...(await claimWhere(sql`id = ${id}`, 1)));
      });
      return claimed;
    }

    async function runRow({ id, due_claim: claimed, due_failures: failures }: Claimed): Promise<void> {
      const attributes = { 'fpay.due.kind': kind.name, 'fpay.due.id': id };
      try {
        await tracing.unit({ name: `due ${kind.name}`, attributes }, () => runTraced(id, claimed, failures));
      } catch (error) {
        if (isDatabaseAway(error)) log.warn({ err: error, kind: kind.name, id }, 'due step postponed');
        else rowLoops.failed(`due.${kind.name}`, id, error);
        await postpone(id, claimed).catch(() => {});
      }
    }

    async function runTraced(id: number, claimed: number, failures: number): Promise<void> {
      if ('act' in kind) {
        await steps.run(async (step) => {
          const isOurs = await actOnce(step, kind, id, claimed);
          if (isOurs && failures > 0) await forgetFailures(step.db, id, claimed);
        });
        return;
      }
      await kind.run(id, claimed);
      if (failures > 0) await forgetFailures(db, id, claimed);
    }

    /** False when the lease ran out and another node has the row now, so the next action belongs to that node. */
    async function actOnce(
      step: Step,
      { act, lockFirst }: Pick<Extract<AnyKind, { act: unknown }>, 'act' | 'lockFirst'>,
      id: number,
      claimed: number,
    ): Promise<boolean> {
      await lockFirst?.(step, id);
      const { rows } = await sql`
        select from ${sql.table(table)} where id = ${id} and due_claim = ${claimed} for update`.execute(step.db);
      if (rows.length === 0) return false;
      await act(step, id);
      return true;
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
          if (inProgress.size >= concurrency || !timer) break;
          for (const row of await claim()) {
            const work: Promise<void> = runRow(row).finally(() => {
              inProgress.delete(work);
              // Rows that this step made due, or that waited for a free worker, are taken without waiting for the poll.
              if (timer) void takeDue();
            });
            inProgress.add(work);
          }
        } while (claimAgain);
      } catch (error) {
        log.warn({ err: error, kind: kind.name }, 'due work poll failed');
      } finally {
        isClaiming = false;
      }
    }

    return { takeDue, inProgress };
  }

  /** One statement finds the kinds that have due rows, because a claim in each table would cost an idle node 14. */
  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    try {
      const now = clock.now();
      const kinds = [...tables].map(
        ([name, table]) => sql`select ${sql.lit(String(name))} as name
          where exists (select from ${sql.table(table)} where next_action_at <= ${now})`,
      );
      const { rows } = await sql<{ name: keyof Kinds }>`
        ${sql.raw(preparedStatementMarker)} ${sql.join(kinds, sql` union all `)}`.execute(db);
      for (const { name } of rows) takeDue(name);
    } catch (error) {
      log.warn({ err: error }, 'due work poll failed');
      // A table that cannot be read must not stop the others.
      if (!isDatabaseAway(error)) for (const name of tables.keys()) takeDue(name);
    } finally {
      isPolling = false;
    }
  }

  function takeDue(name: keyof Kinds): void {
    if (timer) void runners.get(name)?.takeDue();
  }

  return {
    register(kind) {
      runners.set(kind.name, createRunner(kind as AnyKind));
      tables.set(kind.name, kind.table);
    },
    wake: takeDue,
    start() {
      timer = setInterval(() => void poll(), pollMs);
      void poll();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await Promise.all([...runners.values()].flatMap((runner) => [...runner.inProgress]));
    },
  };
}
