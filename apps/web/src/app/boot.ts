import { Settings } from '@fpay/contract/settings';
import type { QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { FirstAnswers, storeFirstAnswers } from '../api/first-answers.ts';
import { settingsQueries } from '../features/settings/queries.ts';

const Boot = z.object({ settings: Settings, answers: z.optional(FirstAnswers) });

/** Data that the server embedded in the page saves a round trip before the first paint. Vite's own page has none. */
export async function takeBoot(queryClient: QueryClient): Promise<Settings> {
  const { queryKey } = settingsQueries.settings();
  const written = document.getElementById('boot')?.textContent;
  if (written) {
    const { settings, answers } = Boot.parse(JSON.parse(written));
    queryClient.setQueryData(queryKey, settings);
    // A page restored from the history may be hours old.
    if (!isFromHistory()) storeFirstAnswers(answers ?? {});
  }
  return queryClient.ensureQueryData(settingsQueries.settings());
}

function isFromHistory(): boolean {
  const navigation = performance.getEntriesByType?.('navigation')[0] as PerformanceNavigationTiming | undefined;
  return navigation?.type === 'back_forward';
}
