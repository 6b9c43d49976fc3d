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
import { chooseLanguage, loadTexts, startI18n } from '../i18n/i18n.ts';
import type { Namespace } from '../i18n/text-key.ts';
import { texts } from '../i18n/texts/uk/index.ts';
import { createMemoryRouter, type RouteObject } from '../router/index.ts';
import { usePopups } from '../ui/popups.ts';
import { someSettings } from './people.ts';

interface Scene {
  /** Null: a visitor. */
  user?: User | null;
  settings?: Settings;
  path?: string;
}

/** A cache that already knows who is there and whose network it is, as after the first page. */
export function cacheWith({ user = null, settings = someSettings }: Scene = {}): QueryClient {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  queryClient.setQueryData(accountQueries.user().queryKey, user);
  queryClient.setQueryData(settingsQueries.settings().queryKey, settings);
  return queryClient;
}

/** Draws routes as the app does, in memory: once the first page is ready. */
export async function renderRoutes(routes: RouteObject[], queryClient: QueryClient, path = '/') {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  await firstPage(router);
  return { router, ...render(<Providers queryClient={queryClient} router={router} />) };
}

/** Draws one part of a page, whatever the address. */
export function renderPart(part: ReactNode, { path = '/', ...scene }: Scene = {}) {
  const router = createMemoryRouter([{ path: '*', element: part }], { initialEntries: [path] });
  return { router, ...render(<Providers queryClient={cacheWith(scene)} router={router} />) };
}

// A busy machine takes its time; what comes at once is not waited for any longer.
configure({ asyncUtilTimeout: 8_000 });

beforeAll(async () => {
  // jsdom has no eyes: it knows no media and captures no pointers.
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }));
  vi.stubGlobal('scrollTo', () => undefined);
  await startI18n();
  // A part of a page is drawn without the page's declaration, which would say what it needs.
  await loadTexts(Object.keys(texts) as Namespace[]);
});

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  usePopups.setState({ waiting: [] });
  await chooseLanguage('uk');
});

afterEach(cleanup);
