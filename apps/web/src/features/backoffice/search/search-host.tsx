import { useEffect } from 'react';
import { SearchPalette } from './palette.tsx';
import { closePalette, openPalette, usePalette } from './palette-state.ts';

/** Opens the search with Ctrl K from anywhere, and with a slash where the page has no field of its own for it. */
export function SearchHost() {
  const { isOpen } = usePalette();
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      // The physical key, so that it works with a Ukrainian layout too.
      if (event.code === 'KeyK' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        openPalette();
        return;
      }
      const target = event.target as HTMLElement | null;
      const isBusy = target?.closest?.('input, textarea, select, [role="dialog"]');
      if (event.code !== 'Slash' || isBusy || event.ctrlKey || event.metaKey || event.altKey) return;
      // The page's own keys are asked first: it may have a field for the slash.
      setTimeout(() => {
        if (!event.defaultPrevented) openPalette();
      });
    }
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      closePalette();
    };
  }, []);
  return isOpen ? <SearchPalette onClose={closePalette} /> : null;
}
