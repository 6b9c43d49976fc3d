import type { DataRouter } from '../router/index.ts';

/** Resolves when the first page's guard has decided and its code is loaded, so that it can be rendered at once. */
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
