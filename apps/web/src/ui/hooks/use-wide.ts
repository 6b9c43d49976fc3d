import { useSyncExternalStore } from 'react';

/** Tailwind's `lg`: from here on a detail fits beside its list. */
const wide = '(min-width: 64rem)';

export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(wide).matches);
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
