import { type AuditRecord, auditList } from '@fpay/contract/admin/audit';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { allRows } from '../../../data/all-rows.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { useSearchParams } from '../../../router/index.ts';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { moveRow, useKeys } from '../parts/use-keys.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { actorOf } from './actor.ts';
import { auditQueryOf, readAudit, writeAudit } from './address.ts';
import { AuditFilters } from './audit-filters.tsx';
import { changeText, RecordView, recordedReason } from './record-view.tsx';

const pageSize = 50;

const auditQuery = (query: Record<string, string>) =>
  infiniteQueryOptions({
    queryKey: ['backoffice', 'audit', query],
    queryFn: ({ pageParam, signal }) =>
      call(auditList, {
        query: { ...query, limit: String(pageSize), ...(pageParam && { before: String(pageParam) }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.id ?? null)),
    select: allRows,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Every action of staff, the newest first. The address has the filters. */
export function Page() {
  const text = useText();
  const isWide = useWide();
  const [params, setParams] = useSearchParams();
  const address = readAudit(params);
  const list = useInfiniteQuery(auditQuery(auditQueryOf(address)));
  // On a phone the fields would fill the first screen.
  const [isFiltering, setFiltering] = useState(params.size > 0);
  const [opened, setOpened] = useState<number | null>(null);
  const records = list.data;
  const shown = records?.find(({ id }) => id === opened) ?? (isWide ? records?.[0] : undefined);
  useKeys({ KeyJ: () => moveRow(1), KeyK: () => moveRow(-1), KeyR: () => void list.refetch() });
  return (
    <StaffPage
      title={text('adminAudit:audit')}
      subtitle={text('adminAudit:auditText')}
      back="/admin"
      actions={<RefreshButton onRefresh={() => void list.refetch()} fetchedAt={list.dataUpdatedAt} />}
    >
      {!isWide && (
        <div className="rounded-control bg-surface px-4 shadow-card">
          <Switch label={text('admin:ownFilters')} checked={isFiltering} onChange={setFiltering} />
        </div>
      )}
      {(isWide || isFiltering) && (
        <AuditFilters
          key={params.toString()}
          address={address}
          onGo={(next) => setParams(writeAudit(next), { preventScrollReset: true })}
        />
      )}
      <Loaded query={list} rows={8}>
        {(records) => (
          <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_21rem]">
            <div className="flex flex-col gap-3">
              <Records records={records} chosen={isWide ? shown?.id : undefined} onOpen={setOpened} />
              <MoreButton list={list}>{text('admin:moreRows')}</MoreButton>
            </div>
            {isWide && shown && (
              <Card className="sticky top-18">
                <RecordView record={shown} />
              </Card>
            )}
            {!isWide && (
              <Sheet open={shown !== undefined} onClose={() => setOpened(null)} title={text('adminAudit:record')}>
                {shown && <RecordView record={shown} />}
              </Sheet>
            )}
          </div>
        )}
      </Loaded>
    </StaffPage>
  );
}

/** Before the changes, because it is what a reader looks for. */
function ReasonText({ record }: { record: AuditRecord }) {
  const text = useText();
  const { reason } = recordedReason(record);
  if (reason === undefined) return null;
  return <span className="text-ink">{reason ?? text('admin:noReason')} · </span>;
}

interface RecordsProps {
  records: readonly AuditRecord[];
  chosen: number | undefined;
  onOpen: (id: number) => void;
}

function Records({ records, chosen, onOpen }: RecordsProps) {
  const text = useText();
  if (records.length === 0) return <EmptyList>{text('adminAudit:noRecords')}</EmptyList>;
  return (
    <ul
      aria-label={text('adminAudit:audit')}
      className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card"
    >
      {records.map((record) => (
        <li key={record.id}>
          <button
            type="button"
            data-row
            aria-pressed={record.id === chosen}
            onClick={() => onOpen(record.id)}
            className={classNames(
              'grid min-h-12 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2 text-left text-note -outline-offset-3 lg:flex lg:min-h-10',
              record.id === chosen ? 'bg-accent-soft' : 'hover:bg-surface-2',
            )}
          >
            <span className="order-2 shrink-0 text-ink-2 lg:order-none lg:w-28">
              <DateTime instant={record.created_at} />
            </span>
            <span className="order-1 truncate font-bold lg:order-none lg:w-36">{actorOf(record, text)}</span>
            <span className="order-3 truncate lg:order-none lg:w-44">{record.action}</span>
            <span className="order-4 truncate text-right text-ink-2 lg:order-none lg:w-36 lg:text-left">
              {record.subject_kind} {record.subject_id}
            </span>
            <span className="order-5 col-span-2 min-w-0 flex-1 truncate text-small text-ink-2 lg:order-none">
              <ReasonText record={record} />
              {changeText(record)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
