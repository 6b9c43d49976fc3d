import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';

/** Something that must never be, with what shows it. */
export interface Fault {
  rule: string;
  subject: string;
  details: Record<string, unknown>;
}

/** Rules that read other features' tables are handed over by those features. */
export type Rule = (db: Database) => Promise<Fault[]>;

const mostFaults = 1_000;

/** Every kept balance equals the sum of its entries. */
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

/** All accounts together are zero: kept balances here, the network's own by their entries. */
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

/** Both ends of every transfer exist: the database has no foreign key that would say so. */
export const endsExist: Rule = async (db) => {
  const { rows } = await sql<{ id: number }>`
    select t.id from transfers t
    where not exists (select 1 from accounts a where a.id = t.from_account)
       or not exists (select 1 from accounts a where a.id = t.to_account)
    limit ${mostFaults}`.execute(db);
  return rows.map(({ id }) => ({ rule: 'both ends of a transfer exist', subject: `transfer ${id}`, details: {} }));
};

export const ledgerRules: readonly Rule[] = [balancesAgree, sumIsZero, nothingBelowZero, endsExist];

/** Proves the books, all rules in one snapshot: a settlement in mid-check is either wholly in it or not at all. */
export async function checkLedger(db: Database, rules: readonly Rule[]): Promise<Fault[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      // Years of transfers take longer to add up than any request may.
      await sql`set local statement_timeout = 0`.execute(snapshot);
      const faults: Fault[] = [];
      for (const rule of rules) faults.push(...(await rule(snapshot)));
      return faults;
    });
}

interface Watch {
  db: Database;
  clock: Clock;
  rules: readonly Rule[];
  /** Lists a fault for staff. */
  note: (fault: Fault) => Promise<void>;
}

/** The nightly check keeps its outcome: metrics and staff read it instead of adding everything up again. */
export function createLedgerWatch({ db, clock, rules, note }: Watch) {
  return {
    async check(): Promise<Fault[]> {
      const faults = await checkLedger(db, rules);
      await db
        .insertInto('ledger_checks')
        .values({ checked_at: clock.now(), faults: JSON.stringify(faults) })
        .execute();
      for (const fault of faults) await note(fault);
      return faults;
    },
    /** For the metric: -1 before the first check. */
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
