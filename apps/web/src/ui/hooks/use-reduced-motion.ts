import { useSyncExternalStore } from 'react';

const wish = '(prefers-reduced-motion: reduce)';

export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(wish).matches);
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(wish);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
