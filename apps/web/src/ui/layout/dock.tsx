import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../hooks/class-names.ts';

interface DockProps {
  children: ReactNode;
  /** Belongs to the buttons, but on a small phone it scrolls with the page, so that the dock does not cover it. */
  above?: ReactNode;
}

/** A larger part of the screen would hide what the buttons are about. */
const mostOfScreen = 0.3;

/**
 * The buttons of a page, at the bottom of the screen within reach of a thumb. On a small screen or with large text they
 * follow the page instead.
 */
export function Dock({ children, above }: DockProps) {
  const [dock, isSticky] = useFits();
  return (
    <>
      {above && <div className="flex flex-col gap-2 border-t border-line bg-surface px-4 pt-3">{above}</div>}
      <div
        ref={dock}
        data-dock
        className={classNames(
          isSticky && 'sticky bottom-0',
          'z-10 flex flex-col gap-2 border-line bg-surface px-4 pb-dock',
          above ? 'pt-2 [@media(max-height:700px)]:border-t' : 'border-t pt-3',
        )}
      >
        {children}
      </div>
    </>
  );
}

function useFits() {
  const dock = useRef<HTMLDivElement>(null);
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const element = dock.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const measure = () => setFits(element.offsetHeight <= innerHeight * mostOfScreen);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, []);
  return [dock, fits] as const;
}
