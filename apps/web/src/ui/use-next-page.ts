import { useEffect } from 'react';
import { useMatches } from '../router/index.ts';

/** Fetches the page that the route says follows this one, so that the driver need not wait for it at the charger. */
export function useNextPage(isLikely: boolean): void {
  const { fetchNext } = (useMatches().at(-1)?.handle ?? {}) as { fetchNext?: () => Promise<unknown> };
  useEffect(() => {
    // Without it the page is fetched when it is opened, as any other.
    if (isLikely) fetchNext?.().catch(() => undefined);
  }, [isLikely, fetchNext]);
}
