import Search from 'lucide-react/icons/search';
import { useText } from '../../../i18n/use-text.ts';
import { openPalette } from './palette-state.ts';

/** In the bar of every staff page: a field on a desktop, an icon on a phone. */
export function SearchButton() {
  const text = useText();
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K"
      onClick={openPalette}
      className="flex size-11 shrink-0 items-center justify-center gap-2 rounded-control text-note text-ink-2 lg:h-10 lg:w-66 lg:justify-start lg:bg-surface-2 lg:px-3"
    >
      <Search aria-hidden="true" size={20} />
      <span className="sr-only min-w-0 flex-1 text-left lg:not-sr-only">{text('admin:findAnything')}</span>
      <kbd className="hidden rounded-[5px] bg-surface px-1.5 font-sans text-small shadow-card lg:block">Ctrl K</kbd>
    </button>
  );
}
