import { exportUsers } from '@fpay/contract/admin/export';
import { UserText } from '@fpay/contract/admin/filters';
import { readSort, sortText, type UserSort } from '@fpay/contract/admin/sorts';
import { userCounts } from '@fpay/contract/admin/users';
import { type Role, roles } from '@fpay/contract/roles';
import { useInfiniteQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import Phone from 'lucide-react/icons/phone';
import { type FormEvent, type Ref, useRef, useState } from 'react';
import { addressOf } from '../../../api/address.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { useNavigate, useSearchParams } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { CountField, countOf } from '../parts/count-field.tsx';
import { ListBar } from '../parts/list-bar.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { moveRow, useKeys } from '../parts/use-keys.ts';
import { useMay } from '../parts/use-may.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { usersQueries } from './queries.ts';
import { UserRows } from './user-rows.tsx';

/** The list as its address describes it. */
interface ShownUsers {
  count: number;
  withTemporary: boolean;
  role: Role | null;
  sort: UserSort;
}

function readShown(params: URLSearchParams): ShownUsers {
  return {
    count: countOf(params.get('count'), userCounts.most) ?? userCounts.default,
    withTemporary: params.get('temporary') === 'true',
    role: roles.find((name) => name === params.get('role')) ?? null,
    sort: readSort('users', params.get('sort')) ?? { key: 'id', isDescending: true },
  };
}

function writeShown({ count, withTemporary, role, sort }: ShownUsers): URLSearchParams {
  const address = new URLSearchParams();
  if (count !== userCounts.default) address.set('count', String(count));
  if (withTemporary) address.set('temporary', 'true');
  if (role) address.set('role', role);
  const order = sortText(sort);
  if (order) address.set('sort', order);
  return address;
}

/** Users, the newest first unless the address says otherwise. */
export function Page() {
  const text = useText();
  const [params, setParams] = useSearchParams();
  const shown = readShown(params);
  const { count, withTemporary, role, sort } = shown;
  const list = useInfiniteQuery(usersQueries.list(count, withTemporary, role, sortText(sort)));
  const lookup = useRef<HTMLInputElement>(null);
  useKeys({ KeyJ: () => moveRow(1), KeyK: () => moveRow(-1), Slash: () => lookup.current?.focus() });
  const change = (next: Partial<ShownUsers>) =>
    setParams(writeShown({ ...shown, ...next }), { replace: true, preventScrollReset: true });
  return (
    <StaffPage
      title={text('admin:users')}
      back="/admin"
      actions={<RefreshButton onRefresh={() => void list.refetch()} fetchedAt={list.dataUpdatedAt} />}
    >
      <ListBar
        filtered={[withTemporary, role !== null].filter(Boolean).length}
        first={<Lookup field={lookup} />}
        others={<UserFilters shown={shown} onChange={change} />}
      />
      <Loaded query={list} rows={8}>
        {(data) => (
          <>
            <UserRows rows={data} sort={sort} onSort={(chosen) => change({ sort: chosen })} />
            <MoreButton list={list}>{text('admin:showMore', { count })}</MoreButton>
          </>
        )}
      </Loaded>
    </StaffPage>
  );
}

interface UserFiltersProps {
  shown: ShownUsers;
  onChange: (next: Partial<ShownUsers>) => void;
}

function UserFilters({ shown: { count, role, withTemporary }, onChange }: UserFiltersProps) {
  const text = useText();
  const mayManageUsers = useMay('manage-users');
  const { url } = addressOf(exportUsers, { query: { with_temp: withTemporary } });
  return (
    <>
      <CountField key={count} count={count} most={userCounts.most} onChange={(chosen) => onChange({ count: chosen })} />
      <Select<Role | ''>
        label={text('adminUsers:role')}
        value={role ?? ''}
        onChange={(chosen) => onChange({ role: chosen || null })}
        options={[
          { value: '', label: text('adminUsers:anyRole') },
          ...roles.map((name) => ({ value: name, label: name })),
        ]}
      />
      <div className="flex min-h-14 items-center rounded-control bg-surface px-4 shadow-card">
        <Switch
          label={text('adminUsers:temporary')}
          checked={withTemporary}
          onChange={(chosen) => onChange({ withTemporary: chosen })}
        />
      </div>
      {mayManageUsers && (
        <>
          <Button href={url} icon={<Download aria-hidden="true" size={20} />}>
            CSV
          </Button>
          <Button to="/admin/reasons">{text('adminUsers:reasons')}</Button>
        </>
      )}
    </>
  );
}

/** A phone number as people write it, or an id. */
function Lookup({ field }: { field: Ref<HTMLInputElement> }) {
  const text = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const user = UserText.safeParse(typed.replace(/[\s()-]/g, '')).data;
  function open(event: FormEvent) {
    event.preventDefault();
    if (user) void navigate(`/admin/users/${user}`);
  }
  return (
    <form onSubmit={open} className="flex min-w-0 flex-1 items-end gap-2 lg:min-w-64">
      {/* The label may reach above the button. */}
      <div className="min-w-0 flex-1 [&_label]:w-0 [&_label]:whitespace-nowrap">
        <Field
          ref={field}
          type="tel"
          label={text('admin:phoneOrId')}
          icon={<Phone aria-hidden="true" size={20} />}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <Button type="submit" disabled={!user}>
        {text('admin:open')}
      </Button>
    </form>
  );
}
