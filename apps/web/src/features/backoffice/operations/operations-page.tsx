import { type countOperations, mostCounted } from '@fpay/contract/admin/operations';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorText } from '../../../api/error-text.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { type LoaderFunctionArgs, useSearchParams } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { moveRow, useKeys } from '../parts/use-keys.ts';
import { useSteadyRows } from '../parts/use-steady-rows.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { filtersOf, type ListAddress, readAddress, writeAddress } from './filters.ts';
import { ListControls } from './list-controls.tsx';
import { OperationRows } from './operation-rows.tsx';
import { fetchListEarly, operationQueries } from './queries.ts';

let isFirstVisit = true;

/** On a cold load the rows are requested while the frame is still rendered. Later visits begin with the known rows. */
export function loader({ request }: LoaderFunctionArgs): void {
  if (!isFirstVisit) return;
  isFirstVisit = false;
  const address = readAddress(new URL(request.url).searchParams);
  fetchListEarly({ filters: filtersOf(address), sort: address.sort, count: address.count });
}

/** The last operations. Everything that narrows the list is in the address, so that a link shows the same list. */
export function Page() {
  const text = useText();
  const [params, setParams] = useSearchParams();
  const address = readAddress(params);
  const filters = filtersOf(address);
  const request = { filters, sort: address.sort, count: address.count };
  const list = useInfiniteQuery(operationQueries.list(request));
  const { data: counted } = useQuery(operationQueries.count(filters));
  const [isInUse, setInUse] = useState(false);
  const lookup = useRef<HTMLInputElement>(null);
  const loaded = list.data ?? [];
  const steady = useSteadyRows(loaded, JSON.stringify(request), isInUse);
  const change = (next: Partial<ListAddress>) =>
    setParams(writeAddress({ ...address, ...next }), { replace: true, preventScrollReset: true });
  useKeys({
    KeyJ: () => moveRow(1),
    KeyK: () => moveRow(-1),
    Slash: () => lookup.current?.focus(),
    KeyR: () => void list.refetch(),
  });

  return (
    <StaffPage
      title={text('admin:operations')}
      subtitle={list.dataUpdatedAt > 0 && <Found counted={counted} updatedAt={list.dataUpdatedAt} />}
      back="/admin"
      actions={<RefreshButton onRefresh={() => void list.refetch()} fetchedAt={list.dataUpdatedAt} />}
    >
      <ListControls address={address} onChange={change} lookup={lookup} />
      {steady.waiting > 0 && (
        <Button size="s" onPress={steady.showWaiting}>
          {text('adminOperations:newRows', { count: steady.waiting })}
        </Button>
      )}
      {list.error && loaded.length > 0 && (
        <p role="alert" className="text-note text-error">
          {text(errorText(list.error))}
        </p>
      )}
      <Loaded query={list} rows={8}>
        {() => (
          <>
            <OperationRows
              rows={steady.rows}
              total={Math.min(counted?.count ?? steady.rows.length, mostCounted)}
              sort={address.sort}
              onSort={(sort) => change({ sort })}
              onUse={setInUse}
            />
            <MoreButton list={list}>{text('admin:showMore', { count: address.count })}</MoreButton>
          </>
        )}
      </Loaded>
    </StaffPage>
  );
}

/** How many there are, and how fresh the rows are. */
function Found({ counted, updatedAt }: { counted: ReplyOf<typeof countOperations> | undefined; updatedAt: number }) {
  const text = useText();
  return (
    <>
      {counted && text('adminOperations:found', { count: counted.count, more: counted.is_more ? '+' : '' })}
      {counted && ' · '}
      {text('adminOperations:updated')} <DateTime instant={new Date(updatedAt).toISOString()} form="time" />
    </>
  );
}
