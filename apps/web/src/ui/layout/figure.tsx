import type { ReactNode } from 'react';
import { classNames } from '../hooks/class-names.ts';

interface FigureProps {
  label: string;
  /** The value. */
  children: ReactNode;
  /** What the value means: a limit, a change. */
  note?: ReactNode;
  isBad?: boolean;
  /** How much of its limit the value is, 0 to 1; null for no limit. */
  share?: number | null;
}

/** One value of a `<dl>`, large enough to be seen first. */
export function Figure({ label, children, note, isBad = false, share = null }: FigureProps) {
  return (
    <div className="min-w-0 rounded-card bg-surface px-4 py-3 shadow-card">
      <dt className="text-small text-ink-2">{label}</dt>
      <dd>
        <span
          className={classNames(
            'tabular block text-[clamp(1rem,5vw,1.375rem)] leading-8 font-extrabold',
            isBad && 'text-error',
          )}
        >
          {children}
        </span>
        {note !== undefined && (
          <span className={classNames('block min-h-4.5 text-small break-words', isBad ? 'text-error' : 'text-ink-2')}>
            {note}
          </span>
        )}
        {share !== null && (
          <span aria-hidden="true" className="mt-1 block h-1 overflow-hidden rounded-full bg-charging-tint">
            <span className="block h-full bg-charging-fill" style={{ width: `${Math.min(100, share * 100)}%` }} />
          </span>
        )}
      </dd>
    </div>
  );
}
