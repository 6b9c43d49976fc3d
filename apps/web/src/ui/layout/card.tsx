import type { ReactNode } from 'react';
import { classNames } from '../hooks/class-names.ts';

export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={classNames('rounded-card bg-surface p-4 shadow-card', className)}>{children}</div>;
}
