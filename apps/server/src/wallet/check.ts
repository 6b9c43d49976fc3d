import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { RowLoops } from '../platform/row-loops.ts';

/** A violated rule, with the rows that show it. */
export interface LedgerFault {
  rule: string;
  subject: string;
  details: Record<string, unknown>;
}

/** Rules that read other features' tables are passed in by those features. */
export type Rule = (db: Database) => Promise<LedgerFault[]>;

const mostFaults = 1_000;

/** Every stored balance equals the sum of its entries. */
export const balancesAgree: Rule = async (db) => {
  const { rows } = await sql<{ id: number; balance: number; entries: number }>`
    with entries as (
      select account, sum(amount) as amount from (
        select to_account as account, amount from transfers where to_account >= 100
        union all select from_account, -amount from transfers where from_account >= 100) sides
      group by account)
    select a.id, a.balance, coalesce(e.amount, 0)::bigint as entries
    from accounts a left join entries e on e.account = a.id
    where a.balance is not null and a.balance <> coalesce(e.amount, 0)
    limit ${mostFaults}`.execute(db);
  return rows.map(({ id, balance, entries }) => ({
    rule: 'balance equals its entries',
    subject: `account ${id}`,
    details: { balance, entries },
  }));
};

/** All accounts together are zero: stored balances, and the network's own accounts by their entries. */
export const sumIsZero: Rule = async (db) => {
  const { rows } = await sql<{ kept: number; own: number }>`
    select (select coalesce(sum(balance), 0)::bigint from accounts) as kept,
      (select coalesce(sum(case when to_account < 100 then amount else 0 end
        - case when from_account < 100 then amount else 0 end), 0)::bigint from transfers) as own`.execute(db);
  const { kept = 0, own = 0 } = rows[0] ?? {};
  return kept + own === 0 ? [] : [{ rule: 'all accounts sum to zero', subject: 'ledger', details: { kept, own } }];
};

export const nothingBelowZero: Rule = async (db) => {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'balance'])
    .where('balance', '<', 0)
    .limit(mostFaults)
    .execute();
  return rows.map(({ id, balance }) => ({
    rule: 'no balance below zero',
    subject: `account ${id}`,
    details: { balance },
  }));
};

/** Both ends of every transfer exist, because the database has no foreign key that ensures it. */
export const endsExist: Rule = async (db) => {
  const { rows } = await sql<{ id: number }>`
    select t.id from transfers t
    where not exists (select 1 from accounts a where a.id = t.from_account)
       or not exists (select 1 from accounts a where a.id = t.to_account)
    limit ${mostFaults}`.execute(db);
  return rows.map(({ id }) => ({ rule: 'both ends of a transfer exist', subject: `transfer ${id}`, details: {} }));
};

export const ledgerRules: readonly Rule[] = [balancesAgree, sumIsZero, nothingBelowZero, endsExist];

/**
 * Checks the books with all rules in one snapshot, so that a settlement in progress is either completely in it or not
 * at all.
 */
export async function checkLedger(db: Database, rules: readonly Rule[]): Promise<LedgerFault[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      // Adding up years of transfers takes longer than a request may.
      await sql`set local statement_timeout = 0`.execute(snapshot);
      const faults: LedgerFault[] = [];
      for (const rule of rules) faults.push(...(await rule(snapshot)));
      return faults;
    });
}

interface Watch {
  db: Database;
  clock: Clock;
  rules: readonly Rule[];
  rows: Pick<RowLoops, 'each'>;
  /** Lists a fault for staff. */
  note: (fault: LedgerFault) => Promise<void>;
}

export interface LedgerWatch {
  /** Proves the books, stores the outcome and lists every fault for staff. */
  check(): Promise<LedgerFault[]>;
  /** For the metric: -1 before the first check. */
  lastFaultCount(): Promise<number>;
}

/** The nightly check stores its outcome: metrics and staff read it instead of adding everything up again. */
export function createLedgerWatch({ db, clock, rules, rows, note }: Watch): LedgerWatch {
  return {
    async check(): Promise<LedgerFault[]> {
      const faults = await checkLedger(db, rules);
      await db
        .insertInto('ledger_checks')
        .values({ checked_at: clock.now(), faults: JSON.stringify(faults) })
        .execute();
      await rows.each('ledger.fault', faults, ({ subject, rule }) => `${subject}: ${rule}`, note);
      return faults;
    },
    async lastFaultCount(): Promise<number> {
      const row = await db
        .selectFrom('ledger_checks')
        .select(sql<number>`jsonb_array_length(faults)`.as('count'))
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.count ?? -1;
    },
  };
}
