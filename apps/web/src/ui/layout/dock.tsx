import type { ReactNode } from 'react';
import { classNames } from '../hooks/class-names.ts';

interface DockProps {
  children: ReactNode;
  /** Belongs to the buttons, but on a small phone it scrolls with the page, so that the dock does not cover it. */
  above?: ReactNode;
}

/** The buttons of a page, at the bottom of the screen within reach of a thumb. */
export function Dock({ children, above }: DockProps) {
  return (
    <>
      {above && <div className="flex flex-col gap-2 border-t border-line bg-surface px-4 pt-3">{above}</div>}
      <div
        className={classNames(
          'sticky bottom-0 z-10 flex flex-col gap-2 border-line bg-surface px-4 pb-dock',
          above ? 'pt-2 [@media(max-height:700px)]:border-t' : 'border-t pt-3',
        )}
      >
        {children}
      </div>
    </>
  );
}
