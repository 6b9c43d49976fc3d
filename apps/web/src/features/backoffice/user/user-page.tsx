import type { OperationSort } from '@fpay/contract/admin/sorts';
import { sortText } from '@fpay/contract/admin/sorts';
import { type AdminUser, adminUser } from '@fpay/contract/admin/users';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useText } from '../../../i18n/use-text.ts';
import { type LoaderFunctionArgs, redirect, useLoaderData, useLocation, useNavigate } from '../../../router/index.ts';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { OperationRows } from '../operations/operation-rows.tsx';
import { LogView } from '../parts/log-view.tsx';
import { NewCaseButton } from '../parts/new-case-button.tsx';
import { SupportNotes } from '../parts/notes.tsx';
import { useMay } from '../parts/use-may.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { missing, roleTone } from '../users/user-text.ts';
import { BalanceTab } from './balance-tab.tsx';
import { UserNowView } from './now/user-now-view.tsx';
import { userKey, userViewQueries } from './queries.ts';
import { UserActions } from './user-actions.tsx';
import { UserData } from './user-data.tsx';

/** A user who cannot be loaded has no page. */
export function loader({ params }: LoaderFunctionArgs): Promise<AdminUser> {
  return call(adminUser, { params: { id: params.user ?? '' } }).catch(() => {
    throw redirect('/admin/users');
  });
}

export function Page() {
  const loaded = useLoaderData<AdminUser>();
  return <UserView key={loaded.id} loaded={loaded} />;
}

const tabs = ['balance', 'operations', 'log', 'data'] as const;

/** One user: money, operations, log and data, and what staff may do. */
function UserView({ loaded }: { loaded: AdminUser }) {
  const text = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { hash } = useLocation();
  const { id } = loaded;
  const { data: user, dataUpdatedAt } = useQuery({ ...userViewQueries.user(id), initialData: loaded });
  // The tab is in the address, so that a link and a reload show the same one.
  const tab = tabs.find((name) => hash === `#${name}`) ?? 'balance';
  const refresh = () => void queryClient.invalidateQueries({ queryKey: userKey(id) });
  const mayNote = useMay('monitor-operations');
  return (
    <StaffPage
      title={user.name || missing.name}
      subtitle={`id ${id} · ${user.phone_number ?? missing.phone}`}
      back="/admin/users"
      actions={<RefreshButton onRefresh={refresh} fetchedAt={dataUpdatedAt} />}
    >
      <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
        <div className="min-w-0">
          <UserNowView user={user} />
        </div>
        <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <UserCard user={user} onDone={refresh} />
        </div>
        <div className="flex min-w-0 flex-col gap-3 lg:col-start-1">
          <Card>
            <Tabs
              label={text('admin:user')}
              value={tab}
              onChange={(chosen) => void navigate(`#${chosen}`, { replace: true, preventScrollReset: true })}
              tabs={[
                {
                  value: 'balance',
                  label: text('adminUsers:balance'),
                  content: <BalanceTab user={user} onDone={refresh} />,
                },
                { value: 'operations', label: text('admin:operations'), content: <OperationsTab id={id} /> },
                { value: 'log', label: text('admin:log'), content: <LogTab id={id} /> },
                { value: 'data', label: text('admin:data'), content: <UserData user={user} /> },
              ]}
            />
          </Card>
          {mayNote && <SupportNotes subject="user" id={id} />}
        </div>
      </div>
    </StaffPage>
  );
}

/** Who it is, and what staff may do. */
function UserCard({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const text = useText();
  return (
    <Card className="flex flex-col gap-3">
      <p className="flex items-baseline justify-between gap-2 text-note text-ink-2">
        {text('adminUsers:balance')} <Money amount={user.wallet.balance} className="text-h2 text-ink" />
      </p>
      <p className="flex flex-wrap gap-2">
        <Badge tone={roleTone(user.role)}>{user.role}</Badge>
        {user.is_temporary && <Badge tone="occupied">{text('adminUsers:temporaryUser')}</Badge>}
        {user.has_telegram && <Badge tone="free">Telegram</Badge>}
        {user.groups.map((group) => (
          <Badge key={group} tone="promo">
            {group}
          </Badge>
        ))}
      </p>
      <UserActions user={user} onDone={onDone} />
      <NewCaseButton about={{ user: user.id }} />
    </Card>
  );
}

function OperationsTab({ id }: { id: number }) {
  const [sort, setSort] = useState<OperationSort>({ key: 'id', isDescending: true });
  const { data } = useQuery(userViewQueries.operations(id, sortText(sort)));
  if (!data) return <SkeletonList rows={4} />;
  return <OperationRows rows={data} total={data.length} sort={sort} onSort={setSort} onUse={() => undefined} />;
}

function LogTab({ id }: { id: number }) {
  return <LogView log={useQuery(userViewQueries.log(id))} />;
}
