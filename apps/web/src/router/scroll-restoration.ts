import { useEffect, useLayoutEffect } from 'react';
import { useRouter, useRouterState } from './context.ts';

const storageKey = 'fpay.scroll';

/** A new page begins at its top; coming back finds it where it was left. */
export function ScrollRestoration() {
  const router = useRouter();
  const { location, keepsScroll } = useRouterState();

  useEffect(() => {
    history.scrollRestoration = 'manual';
    let last = router.state.location.key;
    const stop = router.subscribe(({ location: { key } }) => {
      if (key === last) return;
      // Told before the next page is drawn: the scroll is still the old page's.
      remember(last);
      last = key;
    });
    // After a reload it is the browser that would know, had we not taken this over.
    const leave = () => remember(last);
    addEventListener('pagehide', leave);
    return () => {
      stop();
      removeEventListener('pagehide', leave);
    };
  }, [router]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with each visit, and only then.
  useLayoutEffect(() => {
    const kept = remembered()[location.key];
    const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    if (kept !== undefined) scrollTo(0, kept);
    else if (target) target.scrollIntoView();
    else if (!keepsScroll) scrollTo(0, 0);
  }, [location.key]);

  return null;
}

function remember(key: string): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ ...remembered(), [key]: scrollY }));
  } catch {
    // A full or forbidden storage costs a place on a page, no more.
  }
}

function remembered(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}
