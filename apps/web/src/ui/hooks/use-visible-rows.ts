import { useEffect, useRef, useState } from 'react';

/** Rows above and below the window that are rendered too, so that a fast scroll shows no gap. */
const spareRows = 12;
/** The rendered part moves by so many rows at once, because each move renders the list again. */
const stepRows = 6;

const inSteps = (row: number) => Math.floor(row / stepRows) * stepRows;

/**
 * Which rows of a long list are in the window. All rows have the same height, so the scroll position alone decides.
 * `before` and `after` are the heights in px of the rows that are not rendered.
 */
export function useVisibleRows<List extends HTMLElement>(count: number, rowHeight: number) {
  const list = useRef<List>(null);
  // The first render has only the rows that fit into the window; the spare ones follow after it was painted.
  const [inWindow, setInWindow] = useState(() => ({ first: 0, last: Math.ceil(innerHeight / rowHeight) }));
  useEffect(() => {
    function update(): void {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const first = Math.max(0, inSteps(Math.floor(-top / rowHeight) - spareRows));
      const last = Math.max(first, inSteps(Math.ceil((innerHeight - top) / rowHeight) + spareRows + stepRows - 1));
      setInWindow((now) => (now.first === first && now.last === last ? now : { first, last }));
    }
    update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [rowHeight]);
  const last = Math.min(inWindow.last, count);
  const first = Math.min(inWindow.first, last);
  return { list, first, last, before: first * rowHeight, after: (count - last) * rowHeight };
}
