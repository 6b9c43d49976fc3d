import type { ReactNode } from 'react';

/** Everything that is pressed sits low: the bottom of the screen, within reach of a thumb. */
export function Dock({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 flex flex-col gap-2 border-t border-line bg-surface px-4 pt-3 pb-dock">
      {children}
    </div>
  );
}
