import type { UserSort } from '@fpay/contract/admin/sorts';
import type { AdminUserItem } from '@fpay/contract/admin/users';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useVisibleRows } from '../../../ui/hooks/use-visible-rows.ts';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { NoteMark } from '../operations/note-mark.tsx';
import { ShortStatus } from '../parts/short-status.tsx';
import type { StaffColumn } from '../parts/table/columns.ts';
import { StaffTable } from '../parts/table/staff-table.tsx';
import { missing, roleTone, shortId } from './user-text.ts';

interface UserRowsProps {
  rows: readonly AdminUserItem[];
  sort: UserSort;
  onSort: (sort: UserSort) => void;
}

/** A table where there is space, three lines per user on a phone. */
export function UserRows(props: UserRowsProps) {
  const text = useText();
  const isWide = useWide();
  if (props.rows.length === 0) return <EmptyList>{text('adminUsers:noUsers')}</EmptyList>;
  return isWide ? <UserTable {...props} /> : <UserCards rows={props.rows} />;
}

const columns: readonly StaffColumn<AdminUserItem, UserSort['key']>[] = [
  {
    id: 'id',
    label: 'adminUsers:id',
    sort: 'id',
    width: 84,
    className: 'tabular text-ink-2',
    cell: ({ id }) => shortId(id),
  },
  {
    id: 'name',
    label: 'adminUsers:name',
    sort: 'name',
    width: 190,
    grows: true,
    isFixed: true,
    className: 'font-bold',
    cell: ({ id, name, notes }) => (
      <>
        <Link to={`/admin/users/${id}`} data-row className="after:absolute after:inset-0">
          <Name name={name} />
        </Link>
        <NoteMark notes={notes} />
      </>
    ),
  },
  {
    id: 'phone',
    label: 'adminUsers:phone',
    sort: null,
    width: 150,
    cell: ({ phone_number: phone }) => phone ?? missing.phone,
  },
  {
    id: 'role',
    label: 'adminUsers:role',
    sort: null,
    width: 132,
    cell: ({ role }) => <Badge tone={roleTone(role)}>{role}</Badge>,
  },
  {
    id: 'lastLogin',
    label: 'adminUsers:lastLogin',
    sort: 'last_login',
    width: 150,
    className: 'text-ink-2',
    cell: ({ last_login: at }) => at && <DateTime instant={at} />,
  },
  {
    id: 'wallet',
    label: 'adminUsers:wallet',
    sort: null,
    width: 136,
    isNumber: true,
    className: 'font-bold',
    cell: ({ wallet }) => <Money amount={wallet.balance} />,
  },
  {
    id: 'lastOperation',
    label: 'adminUsers:lastOperation',
    sort: null,
    width: 190,
    cell: ({ last_charging_operation: operation }) => <LastOperation operation={operation} />,
  },
];

function UserTable({ rows, sort, onSort }: UserRowsProps) {
  const text = useText();
  return (
    <StaffTable
      name="users"
      label={text('admin:users')}
      columns={columns}
      rows={rows}
      total={rows.length}
      rowLabel={({ name }) => name || missing.name}
      copied={({ id }) => id}
      sort={sort}
      onSort={onSort}
    />
  );
}

const cardHeight = 92;

function UserCards({ rows }: Pick<UserRowsProps, 'rows'>) {
  const text = useText();
  const { list, first, last, before, after } = useVisibleRows<HTMLUListElement>(rows.length, cardHeight);
  return (
    <ul ref={list} aria-label={text('admin:users')} className="overflow-hidden rounded-card bg-surface shadow-card">
      <li aria-hidden="true" style={{ height: before }} />
      {rows.slice(first, last).map((user, index) => (
        <li
          key={user.id}
          aria-posinset={first + index + 1}
          aria-setsize={rows.length}
          style={{ height: cardHeight }}
          className="relative flex flex-col justify-center gap-1 border-b border-line px-4"
        >
          <span className="flex items-center gap-2">
            <Link
              to={`/admin/users/${user.id}`}
              data-row
              className="min-w-0 truncate text-label font-bold -outline-offset-3 after:absolute after:inset-0"
            >
              <Name name={user.name} />
            </Link>
            <NoteMark notes={user.notes} />
            <Badge tone={roleTone(user.role)}>{user.role}</Badge>
            <Money amount={user.wallet.balance} className="ml-auto text-note font-bold" />
          </span>
          <span className="flex gap-2 text-small text-ink-2">
            <span className="tabular">{shortId(user.id)}</span>
            <span className="min-w-0 flex-1 truncate">{user.phone_number ?? missing.phone}</span>
            {user.last_login && <DateTime instant={user.last_login} />}
          </span>
          <LastOperation operation={user.last_charging_operation} />
        </li>
      ))}
      <li aria-hidden="true" style={{ height: after }} />
    </ul>
  );
}

function Name({ name }: { name: string | null }) {
  return <span className={classNames(!name && 'font-normal text-ink-3')}>{name || missing.name}</span>;
}

/** Above the link of its row, because it is a link itself. */
function LastOperation({ operation }: { operation: AdminUserItem['last_charging_operation'] }) {
  if (!operation) return null;
  return (
    <span className="flex items-center gap-2 text-small">
      <Link to={`/admin/operations/${operation.id}`} className="relative z-10 font-bold text-accent-text">
        {operation.id}
      </Link>
      <ShortStatus status={operation.status} />
      {operation.station_number}
    </span>
  );
}
