import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../../data/loaded.tsx';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { BarButton } from '../shell/bar-button.tsx';
import { StaffPage } from '../shell/staff-page.tsx';
import { ViewLinks } from '../shell/views.tsx';

const views = [
  { to: '/admin/integrations', label: 'integrations:keys' },
  { to: '/admin/integrations/webhooks', label: 'integrations:webhooks' },
  { to: '/admin/integrations/ocpi', label: 'integrations:partners' },
] as const satisfies readonly { to: string; label: TextKey }[];

interface IntegrationsFrameProps<Found> {
  /** The address of this view. */
  view: (typeof views)[number]['to'];
  /** What the view is for. */
  about: string;
  found: UseQueryResult<Found>;
  addLabel: string;
  onAdd: () => void;
  children: (found: Found) => ReactNode;
}

/** One page with three views; each has an address of its own. */
export function IntegrationsFrame<Found>({
  view,
  about,
  found,
  addLabel,
  onAdd,
  children,
}: IntegrationsFrameProps<Found>) {
  const text = useText();
  const { refetch, dataUpdatedAt } = found;
  return (
    <StaffPage
      title={text('integrations:title')}
      back="/admin"
      actions={
        <>
          <RefreshButton onRefresh={() => void refetch()} fetchedAt={dataUpdatedAt} />
          <BarButton label={addLabel} onPress={onAdd} />
        </>
      }
    >
      <ViewLinks label={text('integrations:title')} views={views} view={view} />
      <p className="text-note text-ink-2">{about}</p>
      <Loaded query={found} rows={4}>
        {children}
      </Loaded>
    </StaffPage>
  );
}
