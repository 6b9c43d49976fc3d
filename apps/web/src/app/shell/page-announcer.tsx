import { useEffect, useRef, useState } from 'react';
import { useSettings } from '../../features/settings/queries.ts';
import { useLocation } from '../../router/index.ts';
import { focusHeading } from '../../ui/hooks/focus-heading.ts';

/**
 * Names the document after the heading of its page, also when the heading changes. After a navigation a screen reader
 * hears the name, and the focus moves to the heading, unless the page has put it into a field.
 */
export function PageAnnouncer({ firstPath }: { firstPath: string }) {
  const { brand } = useSettings();
  const { pathname, key } = useLocation();
  // A visitor who tries one station after another stays at this address.
  const place = pathname === '/auth' ? key : pathname;
  const [announced, setAnnounced] = useState('');
  /** The page that needs no announcement, because the browser itself has opened it. */
  const shown = useRef(pathname === firstPath ? place : firstPath);

  useEffect(() => {
    const main = document.querySelector('main');
    if (!main) return;
    let isNew = shown.current !== place;
    shown.current = place;

    function follow(): void {
      const heading = headingText();
      const title = heading ? `${heading} · ${brand}` : brand;
      if (document.title !== title) document.title = title;
      if (!isNew || !heading) return;
      isNew = false;
      setAnnounced(heading);
      const isInPage = main?.contains(document.activeElement);
      // A dialog keeps the focus until it closes; then it focuses the heading itself.
      if (!isInPage && !document.activeElement?.closest('[role="dialog"]')) focusHeading();
    }

    follow();
    const observer = new MutationObserver(follow);
    observer.observe(main, { subtree: true, childList: true, characterData: true });
    return () => observer.disconnect();
  }, [place, brand]);

  return (
    <p aria-live="polite" className="sr-only">
      {announced}
    </p>
  );
}

/** A heading may show something else than the name of the page, for example the name of the user. */
function headingText(): string {
  const heading = document.querySelector<HTMLElement>('main h1');
  return heading?.dataset.title ?? heading?.textContent?.trim() ?? '';
}
