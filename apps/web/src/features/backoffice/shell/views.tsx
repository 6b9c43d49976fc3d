import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NetworkError } from '../../../api/errors.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { LoadFailure } from '../../../ui/layout/load-failure.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';

interface ViewLinksProps {
  label: string;
  views: readonly { to: string; label: TextKey }[];
  /** The address of the view that is shown. */
  view: string;
}

/** The views of one page; each has an address of its own. */
export function ViewLinks({ label, views, view }: ViewLinksProps) {
  const text = useText();
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1 rounded-control bg-surface-2 p-1 lg:self-start">
      {views.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          aria-current={to === view ? 'page' : undefined}
          className={classNames(
            'flex min-h-11 shrink-0 grow basis-2/5 items-center justify-center rounded-thumb px-2 text-note font-bold whitespace-nowrap min-[390px]:basis-0 sm:px-4 lg:min-h-9',
            to === view ? 'bg-thumb shadow-thumb' : 'text-ink-2',
          )}
        >
          {text(label)}
        </Link>
      ))}
    </nav>
  );
}

interface FoundViewProps<Found> {
  found: UseQueryResult<Found>;
  children: (found: Found) => ReactNode;
}

/** The data when it is there; until then a skeleton or the failure. */
export function FoundView<Found>({ found, children }: FoundViewProps<Found>) {
  const { data, error, isFetching, refetch } = found;
  if (data !== undefined) return children(data);
  if (!error) return <SkeletonList rows={4} />;
  return (
    <LoadFailure
      level={2}
      isOffline={error instanceof NetworkError}
      isTrying={isFetching}
      onTry={() => void refetch()}
    />
  );
}
