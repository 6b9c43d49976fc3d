import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NetworkError } from '../../../api/errors.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { LoadFailure } from '../../../ui/layout/load-failure.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';
import { StaffPage } from '../shell/staff-page.tsx';
import { healthKey } from './queries.ts';

const views = [
  { to: '/admin/anomalies', label: 'admin:anomalies' },
  { to: '/admin/terminator', label: 'admin:terminator' },
  { to: '/admin/counters', label: 'admin:counters' },
  { to: '/admin/system', label: 'admin:system' },
] as const satisfies readonly { to: string; label: TextKey }[];

interface HealthFrameProps<Found> {
  /** The address of this view. */
  view: (typeof views)[number]['to'];
  found: UseQueryResult<Found>;
  children: (found: Found) => ReactNode;
}

/** One page with four views; each has an address of its own. */
export function HealthFrame<Found>({ view, found, children }: HealthFrameProps<Found>) {
  const text = useText();
  const queryClient = useQueryClient();
  const { data, error, isFetching, refetch, dataUpdatedAt } = found;
  return (
    <StaffPage
      title={text('admin:health')}
      subtitle={
        dataUpdatedAt > 0 && (
          <>
            {text('admin:checked')} <DateTime instant={new Date(dataUpdatedAt).toISOString()} form="time" />
          </>
        )
      }
      back="/admin"
      actions={
        <RefreshButton
          onRefresh={() => void queryClient.invalidateQueries({ queryKey: healthKey })}
          fetchedAt={dataUpdatedAt}
        />
      }
    >
      <nav
        aria-label={text('admin:health')}
        className="flex gap-1 overflow-x-auto rounded-control bg-surface-2 p-1 lg:self-start"
      >
        {views.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            aria-current={to === view ? 'page' : undefined}
            className={classNames(
              'flex min-h-11 flex-1 shrink-0 items-center justify-center rounded-thumb px-3 sm:px-4 text-note font-bold lg:min-h-9',
              to === view ? 'bg-thumb shadow-thumb' : 'text-ink-2',
            )}
          >
            {text(label)}
          </Link>
        ))}
      </nav>
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <LoadFailure
          level={2}
          isOffline={error instanceof NetworkError}
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      ) : (
        <SkeletonList rows={4} />
      )}
    </StaffPage>
  );
}
