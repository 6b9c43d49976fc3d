import type { ReactNode } from 'react';

interface FactRowProps {
  name: ReactNode;
  children: ReactNode;
}

/** A line of a `<dl>`: the name at the left, the value at the right. With large text the value is on a line of its own. */
export function FactRow({ name, children }: FactRowProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-0.5">
      <dt className="text-ink-2">{name}</dt>
      <dd className="ml-auto min-w-0 text-right font-bold wrap-anywhere">{children}</dd>
    </div>
  );
}
