import type { AdminUser } from '@fpay/contract/admin/users';
import { can, knownRole, type Role } from '@fpay/contract/roles';
import type { MoneyAnswer } from '@fpay/contract/staff-money';
import type { BalanceTransaction } from '@fpay/contract/wallet';
import { sql } from 'kysely';
import { givableRoles, mayBan } from '../../account/staff.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { reversalKey } from '../../wallet/reversal.ts';
import { userIdOf } from '../operations/pages.ts';
import type { OwnMoney } from '../own-money/profit.ts';
import { userItem, usersOf } from './list.ts';

interface Dependencies {
  db: Database;
  transactions: (user: number, page: { limit: number }) => Promise<BalanceTransaction[]>;
  ownMoney: Pick<OwnMoney, 'answer'>;
}

const mostTransactions = 100;

/** One user as staff see them, with what this staff member may do. */
export function createUserDetail({ db, transactions, ownMoney }: Dependencies) {
  /** Undone by a transfer of its own, or on its way back to the card. */
  async function reversedOf(ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const { rows } = await sql<{ id: number }>`
      select t.reverses_id as id from transfers t where t.key = any (${ids.map(reversalKey)})
      union select r.reverses_id from refunds r where r.reverses_id = any (${ids}) and r.status <> 'failure'`.execute(
      db,
    );
    return new Set(rows.map(({ id }) => id));
  }

  return async (text: string, viewer: { id: number; role: Role }): Promise<AdminUser> => {
    const id = await userIdOf(db, text);
    const [row] = id === null ? [] : await usersOf(db, sql`select ${id}::bigint as id`);
    if (!row) throw new Refusal('user_not_found');
    const [parties, entries] = await Promise.all([
      db
        .selectFrom('party_members')
        .innerJoin('parties', 'parties.id', 'party_members.party_id')
        .select('parties.name')
        .where('party_members.user_id', '=', row.id)
        .execute(),
      transactions(row.id, { limit: mostTransactions }),
    ]);
    const answer = await ownMoney.answer(viewer.id, [{ of: 'user', values: [row.id] }]);
    const reversed = await reversedOf(entries.map((entry) => entry.id));
    const person = { id: row.id, role: knownRole(row.role), isTemporary: row.is_temporary };
    return {
      ...userItem(row),
      groups: parties.map(({ name }) => name),
      has_telegram: row.telegram_id !== null,
      language: row.language,
      deleted_at: row.deleted_at?.toISOString() ?? null,
      balance_transactions: entries.map((entry) => ({ ...entry, is_reversed: reversed.has(entry.id) })),
      actions: actionsOf(viewer, person, answer, row.deleted_at !== null, row.telegram_id !== null),
      own_money: answer,
      roles: row.deleted_at === null ? givableRoles(viewer, person) : [],
    };
  };
}

export type UserDetail = ReturnType<typeof createUserDetail>;

type Person = { id: number; role: Role; isTemporary: boolean };

function actionsOf(
  viewer: { id: number; role: Role },
  user: Person,
  answer: MoneyAnswer,
  isDeleted: boolean,
  hasTelegram: boolean,
) {
  if (isDeleted) return [];
  const mayMoney = can(viewer.role, 'manage-balances') && answer !== 'own' && !user.isTemporary;
  const isBannable = mayBan(viewer, user);
  const offered: [AdminUser['actions'][number], boolean][] = [
    ['send_sms', can(viewer.role, 'contact-users') && !user.isTemporary],
    ['send_telegram', hasTelegram],
    ['give', mayMoney],
    ['take', mayMoney],
    ['set_role', givableRoles(viewer, user).length > 0],
    ['ban', isBannable && user.role !== 'Banned'],
    ['unban', isBannable && user.role === 'Banned'],
  ];
  return offered.flatMap(([action, isOffered]) => (isOffered ? [action] : []));
}
