import type { User } from '@fpay/contract/account';
import type { Settings } from '@fpay/contract/settings';
import { QueryClient } from '@tanstack/react-query';
import { cleanup, configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { firstPage } from '../app/first-page.ts';
import { Providers } from '../app/providers.tsx';
import { accountQueries } from '../features/account/queries.ts';
import { settingsQueries } from '../features/settings/queries.ts';
import '../i18n/staff-texts.ts';
import { chooseLanguage, loadTexts, startI18n } from '../i18n/i18n.ts';
import type { Namespace } from '../i18n/text-key.ts';
import { texts } from '../i18n/texts/uk/index.ts';
import { createMemoryRouter, type RouteObject } from '../router/index.ts';
import { usePopups } from '../ui/overlay/popups.ts';
import { cacheComputedStyles } from './computed-style.ts';
import { someSettings } from './people.ts';

interface Scene {
  /** Null for a visitor. */
  user?: User | null;
  settings?: Settings;
  path?: string;
}

/** A cache with the user and the settings, as after the first page. */
export function cacheWith({ user = null, settings = someSettings }: Scene = {}): QueryClient {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  queryClient.setQueryData(accountQueries.user().queryKey, user);
  queryClient.setQueryData(settingsQueries.settings().queryKey, settings);
  return queryClient;
}

/** Renders routes as the app does, with a history in memory, once the first page is ready. */
export async function renderRoutes(routes: RouteObject[], queryClient: QueryClient, path = '/') {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  await firstPage(router);
  return { router, ...render(<Providers queryClient={queryClient} router={router} />) };
}

/** Renders one part of a page at any address. */
export function renderPart(part: ReactNode, { path = '/', ...scene }: Scene = {}) {
  const router = createMemoryRouter([{ path: '*', element: part }], { initialEntries: [path] });
  return { router, ...render(<Providers queryClient={cacheWith(scene)} router={router} />) };
}

if (document.defaultView) cacheComputedStyles(document.defaultView);

// A busy machine is slow; a wait ends as soon as its condition is true.
configure({ asyncUtilTimeout: 8_000 });

beforeAll(async () => {
  // jsdom implements neither media queries nor pointer capture.
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }));
  vi.stubGlobal('scrollTo', () => undefined);
  await startI18n();
  // A part of a page is rendered without the page's declaration, which would load its texts.
  await loadTexts(Object.keys(texts) as Namespace[]);
});

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  usePopups.setState({ waiting: [] });
  await chooseLanguage('uk');
});

afterEach(cleanup);
