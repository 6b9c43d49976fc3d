import type { ReactNode } from 'react';
import { classNames } from '../hooks/class-names.ts';

interface EmptyListProps {
  /** A reason in words; or words and the next step. */
  children: ReactNode;
  className?: string;
}

/** Where a list would be: why it has no rows. */
export function EmptyList({ children, className }: EmptyListProps) {
  return (
    <div
      className={classNames(
        'flex flex-col items-center gap-4 rounded-card bg-surface p-8 text-center text-body text-ink-2 shadow-card',
        className,
      )}
    >
      {typeof children === 'string' ? <p>{children}</p> : children}
    </div>
  );
}
