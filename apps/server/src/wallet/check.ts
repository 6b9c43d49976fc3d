import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { RowLoops } from '../platform/rows/row-loops.ts';

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

/** The party's part of every account equals the parts of its transfers, and is within its balance. */
export const partyPartsAgree: Rule = async (db) => {
  const { rows } = await sql<{ id: number; balance: number; party: number; parts: number }>`
    with parts as (
      select account, sum(amount) as amount from (
        select t.to_account as account, p.arrived as amount from party_parts p join transfers t on t.id = p.transfer_id
        union all
        select t.from_account, -p.taken from party_parts p join transfers t on t.id = p.transfer_id) sides
      where account >= 100 group by account)
    select a.id, a.balance, a.party_balance as party, coalesce(p.amount, 0)::bigint as parts
    from accounts a left join parts p on p.account = a.id
    where a.party_balance <> coalesce(p.amount, 0) or a.party_balance not between 0 and coalesce(a.balance, 0)
    limit ${mostFaults}`.execute(db);
  return rows.map(({ id, ...details }) => ({
    rule: 'party money equals its parts, within the balance',
    subject: `account ${id}`,
    details,
  }));
};

/** Party money is in the wallets of members of its party only. The owner has none, because it is the owner's own. */
export const partyMoneyIsInside: Rule = async (db) => {
  const { rows } = await sql<{ id: number; party: number; amount: number }>`
    select a.id, a.party_id as party, a.party_balance as amount
    from accounts a join wallets w on w.id = a.id left join parties p on p.id = a.party_id
    where a.party_balance > 0 and (p.is_closed is not true or p.owner_id = w.owner_id or not exists (
      select from party_members m where m.party_id = a.party_id and m.user_id = w.owner_id))
    limit ${mostFaults}`.execute(db);
  return rows.map(({ id, ...details }) => ({
    rule: 'money of a closed party is in the wallets of its members',
    subject: `account ${id}`,
    details,
  }));
};

export const ledgerRules: readonly Rule[] = [
  balancesAgree,
  sumIsZero,
  nothingBelowZero,
  endsExist,
  partyPartsAgree,
  partyMoneyIsInside,
];

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
