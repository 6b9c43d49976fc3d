import type { MoneyAnswer, MoneyOwner } from '@fpay/contract/staff-money';
import { sql } from 'kysely';
import type { StaffAction } from '../../platform/audit.ts';
import { type Database, preparedStatementMarker } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';
import { moneyAnswer, type Tie } from './own-money.ts';

/** The money that something is about: an operation by its id, a user as staff type it. */
export interface MoneySubject {
  of: MoneyOwner;
  values: readonly (string | number)[];
}

export interface OwnMoney {
  /** Whether this member of staff profits from any of these. What does not exist is free: the call itself says so. */
  answer(staff: number, subjects: readonly MoneySubject[], from?: Database): Promise<MoneyAnswer>;
  /** Whether only the visible digits of a card tie this member of staff to what an action is about. */
  needsSecondPerson(step: Step, staff: number, subject: StaffAction['subject']): Promise<boolean>;
  /** Whether somebody who wrote this promotion profits from what the user gets. */
  isOfAuthor(step: Step, promotion: number, user: number): Promise<boolean>;
}

interface Profiting {
  users: number[];
  wallets: number[];
  parties: number[];
}

const ids = (values: MoneySubject['values']) => values.map(Number).filter(Number.isSafeInteger);
/** The user behind each card of a list: `04A1B2C3;+380671234567`. */
const usersOfLines = (values: MoneySubject['values']) =>
  values.flatMap((text) => String(text).split('\n')).map((line) => line.split(';')[1]?.trim() ?? '');

/** Who profits from which money: accounts, wallets and parties, read across the features that own them. */
export function createOwnMoney(db: Database): OwnMoney {
  async function profiting({ of, values }: MoneySubject, from: Database): Promise<Profiting> {
    switch (of) {
      case 'user':
        return { users: ids(values), wallets: [], parties: [] };
      case 'typed_user':
        return typedUsers(values.map(String), from);
      case 'card_lines':
        return typedUsers(usersOfLines(values), from);
      case 'operation':
        return found(
          sql`select o.user_id, p.wallet_id from operations o left join payments p on p.operation_id = o.id
            where o.id = any(${ids(values)})`,
          from,
        );
      case 'payment':
        return found(
          sql`select p.user_id, p.wallet_id from payments p where p.id = any(${ids(values)})
            union select o.user_id, null from payments p join operations o on o.id = p.operation_id
            where p.id = any(${ids(values)})`,
          from,
        );
      case 'anomaly':
        return found(
          sql`select p.user_id, p.wallet_id from money_anomalies a join payments p on p.id = a.payment_id
            where a.id = any(${ids(values)})`,
          from,
        );
      case 'transaction':
        return found(
          sql`select u.user_id, coalesce(a.wallet_id, a.id) as wallet_id from transfers t
            cross join lateral (values (t.sender_id), (t.recipient_id),
              ((select user_id from operations where id = t.operation_id)),
              ((select user_id from payments where id = t.payment_id))) as u (user_id)
            left join accounts a on a.id in (t.from_account, t.to_account) and a.id >= 100
            where t.id = any(${ids(values)})`,
          from,
        );
      case 'party': {
        const { rows } = await sql<{ id: number; owner_id: number }>`
          select id, owner_id from parties where id = any(${ids(values)})`.execute(from);
        return { users: rows.map((row) => row.owner_id), wallets: [], parties: rows.map(({ id }) => id) };
      }
      case 'approval':
        return ofApprovals(ids(values), from);
    }
  }

  async function found(query: ReturnType<typeof sql>, from: Database): Promise<Profiting> {
    const { rows } = await (
      query as ReturnType<typeof sql<{ user_id: number | null; wallet_id: number | null }>>
    ).execute(from);
    const users = rows.flatMap(({ user_id }) => (user_id === null ? [] : [user_id]));
    return { users, wallets: rows.flatMap(({ wallet_id }) => (wallet_id === null ? [] : [wallet_id])), parties: [] };
  }

  async function typedUsers(texts: readonly string[], from: Database): Promise<Profiting> {
    const phones = texts.map((text) => `+${text.replace('+', '')}`);
    const { rows } = await sql<{ id: number }>`select id from users
      where id = any(${ids(texts.filter((text) => /^\d{1,15}$/.test(text)))}) or phone_number = any(${phones})`.execute(
      from,
    );
    return { users: rows.map(({ id }) => id), wallets: [], parties: [] };
  }

  /** What waits for a second person is about its recipient and about its subject. */
  async function ofApprovals(approvals: number[], from: Database): Promise<Profiting> {
    const { rows } = await sql<{ recipient_id: number | null; subject_kind: string; subject_id: number }>`
      select recipient_id, subject_kind, subject_id from staff_approvals where id = any(${approvals})`.execute(from);
    const parts: Profiting[] = [{ users: rows.flatMap((row) => row.recipient_id ?? []), wallets: [], parties: [] }];
    for (const { subject_kind: kind, subject_id: id } of rows)
      if (kind === 'operation' || kind === 'payment' || kind === 'user' || kind === 'transaction' || kind === 'party')
        parts.push(await profiting({ of: kind, values: [id] }, from));
    return joined(parts);
  }

  /** A wallet is its owner's and of everybody who pays from it. */
  async function tiesOf({ users, wallets, parties }: Profiting, from: Database): Promise<Tie[]> {
    const { rows } = await sql<Tie>`${sql.raw(preparedStatementMarker)}
      with people as (
        select id from users where id = any(${users}) or wallet_id = any(${wallets})
        union select owner_id from wallets where id = any(${wallets})
          or id in (select wallet_id from users where id = any(${users}))
        union select g.id from users g where g.joined_id = any(${users})
      )
      select 'account' as kind, coalesce(u.joined_id, u.id)::text as value from people join users u using (id)
      union select 'wallet', unnest(${wallets}::bigint[])::text
      union select 'wallet', u.wallet_id::text from people join users u using (id)
      union select 'wallet', w.id::text from people join wallets w on w.owner_id = people.id
      union select 'party', unnest(${parties}::bigint[])::text
      union select 'party', m.party_id::text from people join party_members m on m.user_id = people.id
      union select 'party', p.id::text from people join parties p on p.owner_id = people.id
      union select 'party', f.party_id::text from people join party_stays f on f.user_id = people.id
      union select 'phone', u.phone_number from people join users u using (id)
      union select 'telegram', u.telegram_id::text from people join users u using (id) where u.telegram_id is not null
      union select f.kind, f.value from people join former_contacts f on f.user_id = people.id
      union select 'card', c.masked_pan from people join saved_cards c on c.user_id = people.id and c.removed_at is null
      union select 'card', p.masked_pan from people join payments p on p.user_id = people.id where p.masked_pan is not null`.execute(
      from,
    );
    return rows;
  }

  async function answer(staff: number, subjects: readonly MoneySubject[], from: Database = db): Promise<MoneyAnswer> {
    const parts = await Promise.all(subjects.map((subject) => profiting(subject, from)));
    const own = await tiesOf({ users: [staff], wallets: [], parties: [] }, from);
    return moneyAnswer(own, await tiesOf(joined(parts), from));
  }

  return {
    answer,

    async needsSecondPerson(step, staff, { kind, id }) {
      if (kind !== 'operation' && kind !== 'payment' && kind !== 'user' && kind !== 'transaction') return false;
      return (await answer(staff, [{ of: kind, values: [Number(id)] }], step.db)) === 'second_person';
    },

    async isOfAuthor(step, promotion, user) {
      const { rows } = await sql<{ user_id: number }>`
        select user_id from promotion_authors where promotion_id = ${promotion}`.execute(step.db);
      for (const { user_id: author } of rows)
        if ((await answer(author, [{ of: 'user', values: [user] }], step.db)) === 'own') return true;
      return false;
    },
  };
}

const joined = (parts: readonly Profiting[]): Profiting => ({
  users: parts.flatMap(({ users }) => users),
  wallets: parts.flatMap(({ wallets }) => wallets),
  parties: parts.flatMap(({ parties }) => parties),
});
