import { classNames } from '../hooks/class-names.ts';

/** A placeholder of the same size for content that is loading. */
export function Skeleton({ className }: { className: string }) {
  return (
    <span aria-hidden="true" className={classNames('block animate-breathe rounded-badge bg-surface-2', className)} />
  );
}

export function SkeletonList({ rows }: { rows: number }) {
  return (
    <div aria-busy="true" className="divide-y divide-line rounded-card bg-surface px-4 shadow-card">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
        <div key={row} className="flex min-h-15 items-center gap-3 py-2.5">
          <Skeleton className="size-10 rounded-control" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-3 w-3/5" />
          </div>
          <Skeleton className="h-5 w-14" />
        </div>
      ))}
    </div>
  );
}
