import type { ReactNode } from 'react';
import { ApiError, NetworkError } from '../api/errors.ts';
import { EmptyList } from '../ui/layout/empty-list.tsx';
import { LoadFailure } from '../ui/layout/load-failure.tsx';
import { SkeletonList } from '../ui/layout/skeleton.tsx';

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** What the server answers with 404 does not exist; without this text it is a failure. */
  notFound?: ReactNode;
  /** Shown for a list without rows. */
  empty?: ReactNode;
  /** What is missing after a failure; by default, what happened. */
  failure?: string;
  /** 1 when the page has no title of its own. */
  level?: 1 | 2;
  /** The lines of the placeholder. */
  rows?: number;
  /** A placeholder of another shape. */
  waiting?: ReactNode;
  /** Not given where the page around it changes when the data is there. */
  children?: (data: Data) => ReactNode;
}

/** The data when it is there, also when a later call fails; until then a placeholder, or why there is none. */
export function Loaded<Data>({ query, children, ...shown }: LoadedProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) {
    const isEmpty = Array.isArray(data) && data.length === 0;
    if (isEmpty && shown.empty !== undefined) return <EmptyList>{shown.empty}</EmptyList>;
    return children?.(data);
  }
  if (!error) return shown.waiting ?? <SkeletonList rows={shown.rows ?? 6} />;
  if (shown.notFound !== undefined && error instanceof ApiError && error.status === 404)
    return <EmptyList>{shown.notFound}</EmptyList>;
  return (
    <LoadFailure
      level={shown.level ?? 2}
      {...(shown.failure !== undefined && { title: shown.failure })}
      isOffline={error instanceof NetworkError}
      isTrying={isFetching}
      onTry={() => void refetch()}
    />
  );
}
