import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { useRouter, useRouterState } from './context.ts';

const storageKey = 'fpay.scroll';

/** A new page starts at its top; returning to a page restores its position. */
export function ScrollRestoration() {
  const router = useRouter();
  const { location, keepsScroll } = useRouterState();

  useEffect(() => {
    history.scrollRestoration = 'manual';
    let last = router.state.location.key;
    const stop = router.subscribe(({ location: { key } }) => {
      if (key === last) return;
      // Runs before the next page is rendered, while the scroll position is still the old page's.
      remember(last);
      last = key;
    });
    // Restoring after a reload is our task too, because the browser's own restoration is off.
    const leave = () => remember(last);
    addEventListener('pagehide', leave);
    return () => {
      stop();
      removeEventListener('pagehide', leave);
    };
  }, [router]);

  const restore = useEffectEvent((visit: string) => {
    const kept = remembered()[visit];
    const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    if (kept !== undefined) scrollTo(0, kept);
    else if (target) target.scrollIntoView();
    else if (!keepsScroll) scrollTo(0, 0);
  });
  useLayoutEffect(() => restore(location.key), [location.key]);

  return null;
}

function remember(key: string): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ ...remembered(), [key]: scrollY }));
  } catch {
    // A full or forbidden storage only loses the scroll position.
  }
}

function remembered(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}
