import type { DataRouter } from '../router/index.ts';

/** Resolves once the first page's guard has decided and its code is there: from then on it can be drawn at once. */
export function firstPage(router: DataRouter): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}
