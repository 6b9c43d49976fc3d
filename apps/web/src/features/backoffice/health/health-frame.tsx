import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../../data/loaded.tsx';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { StaffPage } from '../shell/staff-page.tsx';
import { ViewLinks } from '../shell/views.tsx';
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
  const { dataUpdatedAt } = found;
  return (
    <StaffPage
      title={text('admin:health')}
      subtitle={
        dataUpdatedAt > 0 && (
          <>
            {text('adminHealth:checked')} <DateTime instant={new Date(dataUpdatedAt).toISOString()} form="time" />
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
      <ViewLinks label={text('admin:health')} views={views} view={view} />
      <Loaded query={found} rows={4}>
        {children}
      </Loaded>
    </StaffPage>
  );
}
