import type { UseQueryResult } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import { NetworkError } from '../../../api/errors.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { LoadFailure } from '../../../ui/layout/load-failure.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';
import { StaffPage } from '../shell/staff-page.tsx';

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
  const { data, error, isFetching, refetch, dataUpdatedAt } = found;
  return (
    <StaffPage
      title={text('integrations:title')}
      back="/admin"
      actions={
        <>
          <RefreshButton onRefresh={() => void refetch()} fetchedAt={dataUpdatedAt} />
          <Button size="s" kind="main" icon={<Plus aria-hidden="true" size={18} />} onPress={onAdd}>
            <span className="sr-only sm:not-sr-only">{addLabel}</span>
          </Button>
        </>
      }
    >
      <nav
        aria-label={text('integrations:title')}
        className="flex gap-1 overflow-x-auto rounded-control bg-surface-2 p-1 lg:self-start"
      >
        {views.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            aria-current={to === view ? 'page' : undefined}
            className={classNames(
              'flex min-h-11 flex-1 shrink-0 items-center justify-center rounded-thumb px-2 text-note font-bold whitespace-nowrap sm:px-4 lg:min-h-9',
              to === view ? 'bg-thumb shadow-thumb' : 'text-ink-2',
            )}
          >
            {text(label)}
          </Link>
        ))}
      </nav>
      <p className="text-note text-ink-2">{about}</p>
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

export function NothingYet({ children }: { children: ReactNode }) {
  return <p className="rounded-card bg-surface p-8 text-center text-body text-ink-2 shadow-card">{children}</p>;
}
