import type { ReactNode } from 'react';
import { classNames } from '../hooks/class-names.ts';
import { Dock } from './dock.tsx';

interface EmptyStateProps {
  /** One drawing, 64 px. */
  drawing: ReactNode;
  tone?: 'quiet' | 'error' | 'occupied';
  title: ReactNode;
  /** 2 when the page has its own title above. */
  level?: 1 | 2;
  text: ReactNode;
  /** The next step as main button, then the other one as a quiet button. */
  actions?: ReactNode;
}

const tints = {
  quiet: 'bg-surface-2 text-ink',
  error: 'bg-error-tint text-error',
  occupied: 'bg-occupied-tint text-occupied',
} as const;

/** Shows what is missing or what went wrong, and offers the next step. */
export function EmptyState({ drawing, tone = 'quiet', title, level = 1, text, actions }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <>
      <div className="flex flex-1 flex-col items-center justify-center px-4 py-8 text-center">
        <span aria-hidden="true" className={classNames('grid size-38 place-items-center rounded-full', tints[tone])}>
          {drawing}
        </span>
        <Heading className="mt-7 text-h1 text-balance">{title}</Heading>
        <p className="mt-2 max-w-[24rem] text-body text-ink-2 text-pretty">{text}</p>
      </div>
      {actions && <Dock>{actions}</Dock>}
    </>
  );
}
