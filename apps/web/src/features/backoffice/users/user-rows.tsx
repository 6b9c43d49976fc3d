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
import { missing, roleTone, shortId } from './user-text.ts';

interface UserRowsProps {
  rows: readonly AdminUserItem[];
}

/** A table where there is space, three lines per user on a phone. */
export function UserRows({ rows }: UserRowsProps) {
  const text = useText();
  const isWide = useWide();
  if (rows.length === 0) return <EmptyList>{text('admin:noUsers')}</EmptyList>;
  return isWide ? <UserTable rows={rows} /> : <UserCards rows={rows} />;
}

const columns = [
  'admin:id',
  'admin:name',
  'admin:phone',
  'admin:role',
  'admin:lastLogin',
  'admin:wallet',
  'admin:lastOperation',
] as const;

const tableRowHeight = 40;

function UserTable({ rows }: UserRowsProps) {
  const text = useText();
  const { list, first, last, before, after } = useVisibleRows<HTMLTableSectionElement>(rows.length, tableRowHeight);
  return (
    <div className="overflow-x-auto rounded-card bg-surface shadow-card">
      <table aria-label={text('admin:users')} aria-rowcount={rows.length + 1} className="w-full text-note">
        <thead>
          <tr aria-rowindex={1} className="h-9 border-b border-line text-left text-small text-ink-2">
            {columns.map((column) => (
              <th key={column} scope="col" className="px-3 font-[650]">
                {text(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={list}>
          {before > 0 && <tr style={{ height: before }} />}
          {rows.slice(first, last).map((user, index) => (
            <tr
              key={user.id}
              aria-rowindex={first + index + 2}
              style={{ height: tableRowHeight }}
              className="relative border-b border-line *:px-3 *:whitespace-nowrap hover:bg-surface-2 has-focus-visible:bg-surface-2"
            >
              <td className="tabular text-ink-2">{shortId(user.id)}</td>
              <td className="max-w-56 truncate font-bold">
                <Link to={`/admin/users/${user.id}`} data-row className="after:absolute after:inset-0">
                  <Name name={user.name} />
                </Link>
                <NoteMark notes={user.notes} />
              </td>
              <td>{user.phone_number ?? missing.phone}</td>
              <td>
                <Badge tone={roleTone(user.role)}>{user.role}</Badge>
              </td>
              <td className="text-ink-2">{user.last_login && <DateTime instant={user.last_login} />}</td>
              <td>
                <Money amount={user.wallet.balance} className="font-bold" />
              </td>
              <td>
                <LastOperation operation={user.last_charging_operation} />
              </td>
            </tr>
          ))}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

const cardHeight = 92;

function UserCards({ rows }: UserRowsProps) {
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
