import { Settings } from '@fpay/contract/settings';
import type { QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { settingsQueries } from '../features/settings/queries.ts';

const Boot = z.object({ settings: Settings });

/** What the server wrote into the page spares a round trip before the first paint. Vite's own page has none of it. */
export async function takeBoot(queryClient: QueryClient): Promise<Settings> {
  const { queryKey } = settingsQueries.settings();
  const written = document.getElementById('boot')?.textContent;
  if (written) queryClient.setQueryData(queryKey, Boot.parse(JSON.parse(written)).settings);
  return queryClient.ensureQueryData(settingsQueries.settings());
}
