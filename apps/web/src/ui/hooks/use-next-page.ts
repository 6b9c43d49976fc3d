import { useEffect } from 'react';
import { useMatches } from '../../router/index.ts';

/** Loads the page that the route declares as next, so that the driver does not wait for it at the charger. */
export function useNextPage(isLikely: boolean): void {
  const { fetchNext } = (useMatches().at(-1)?.handle ?? {}) as { fetchNext?: () => Promise<unknown> };
  useEffect(() => {
    // When this fails, the page is loaded when it is opened.
    if (isLikely) fetchNext?.().catch(() => undefined);
  }, [isLikely, fetchNext]);
}
