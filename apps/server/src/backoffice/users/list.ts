import type { UserSort } from '@fpay/contract/admin/sorts';
import type { AdminUserItem } from '@fpay/contract/admin/users';
import type { OperationStatus } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import { knownRole, type Role } from '@fpay/contract/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { beyond, ordered } from '../sorts.ts';

export interface UserFilter {
  withTemporary: boolean;
  role?: Role | null | undefined;
  before?: number | null | undefined;
}

export interface UserRow {
  id: number;
  name: string;
  phone_number: string;
  role: string;
  is_temporary: boolean;
  language: string;
  telegram_id: number | null;
  deleted_at: Date | null;
  last_login_at: Date | null;
  created_at: Date;
  wallet_id: number;
  balance: number;
  is_shared: boolean;
  owner_id: number;
  operation_id: number | null;
  operation_status: OperationStatus | null;
  operation_created_at: Date | null;
  station_number: string | null;
  notes: number;
}

/** Users with their wallet and their last charge, in the order in which `found` gives their ids. */
export async function usersOf(db: Database, found: RawBuilder<unknown>): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select u.id, u.name, u.phone_number, u.role, u.is_temporary, u.language, u.telegram_id, u.deleted_at, u.last_login_at,
      u.created_at, u.wallet_id, a.balance, w.is_shared, w.owner_id, o.id as operation_id, o.status as operation_status,
      o.created_at as operation_created_at, s.number as station_number,
      (select count(*)::int from support_notes n where n.subject_kind = 'user' and n.subject_id = u.id) as notes
    from (select found.id as found_id, row_number() over () as place from (${found}) found) found
      join users u on u.id = found.found_id
      join wallets w on w.id = u.wallet_id
      join accounts a on a.id = u.wallet_id
      left join lateral (
        select id, status, created_at, station_id from operations where user_id = u.id order by id desc limit 1) o on true
      left join stations s on s.id = o.station_id
    order by found.place`.execute(db);
  return rows;
}

const newest: UserSort = { key: 'id', isDescending: true };

/** The expressions of the indexes; somebody who has never signed in comes after all others. */
const sortColumns = {
  id: sql`u.id`,
  last_login: sql`coalesce(u.last_login_at, '-infinity')`,
  name: sql`lower(u.name) collate "uk-x-icu"`,
} as const satisfies Record<UserSort['key'], RawBuilder<unknown>>;

/** Guests and others are two ranges of each index but that of the ids. */
function kindsOf({ key }: UserSort, withTemporary: boolean): RawBuilder<unknown>[] {
  if (!withTemporary) return [sql`not u.is_temporary`];
  return key === 'id' ? [sql`true`] : [sql`not u.is_temporary`, sql`u.is_temporary`];
}

export function createUserList(db: Database) {
  return async (
    { withTemporary, role, before }: UserFilter,
    limit: number,
    sort = newest,
  ): Promise<AdminUserItem[]> => {
    const key = sortColumns[sort.key];
    const id = sql`u.id`;
    const parts: RawBuilder<boolean>[] = [
      ...(role ? [sql<boolean>`u.role = ${role}`] : []),
      ...(before
        ? [
            beyond(
              key,
              id,
              { key: sql`(select ${key} from users u where u.id = ${before})`, id: before },
              sort.isDescending,
            ),
          ]
        : []),
    ];
    const where = parts.length > 0 ? sql`${sql.join(parts, sql` and `)}` : sql`true`;
    const part = (kind: RawBuilder<unknown>) =>
      sql`(select u.id, ${key} as key from users u where ${kind} and ${where}
        ${ordered(key, id, sort.isDescending)} limit ${limit})`;
    const found = sql`select one.id from (${sql.join(kindsOf(sort, withTemporary).map(part), sql` union all `)}) one
      ${ordered(sql`one.key`, sql`one.id`, sort.isDescending)} limit ${limit}`;
    return (await usersOf(db, found)).map(userItem);
  };
}

export type UserList = ReturnType<typeof createUserList>;

export function userItem(row: UserRow): AdminUserItem {
  return {
    id: row.id,
    name: row.name.trim() || null,
    phone_number: row.phone_number.trim() || null,
    role: knownRole(row.role),
    is_temporary: row.is_temporary,
    last_login: row.last_login_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    wallet: {
      id: row.wallet_id,
      balance: kopecks(Number(row.balance)),
      is_shared: row.is_shared,
      is_owner: row.owner_id === row.id,
    },
    last_charging_operation:
      row.operation_id === null || row.operation_status === null || row.operation_created_at === null
        ? null
        : {
            id: row.operation_id,
            status: row.operation_status,
            created_at: row.operation_created_at.toISOString(),
            station_number: row.station_number ?? '',
          },
    notes: row.notes,
  };
}
