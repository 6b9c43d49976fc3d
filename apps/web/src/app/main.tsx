import './no-eval.ts';
import '../ui/styles/app.css';
import { StrictMode, startTransition, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { csrf } from '../api/call.ts';
import { loadTexts, startI18n } from '../i18n/i18n.ts';
import { createBrowserRouter } from '../router/index.ts';
import { whenIdle } from '../ui/hooks/when-idle.ts';
import { takeBoot } from './boot.ts';
import { followCallRules } from './call-rules.ts';
import { firstPage } from './first-page.ts';
import { Providers } from './providers.tsx';
import { queryClient } from './query-client.ts';
import { createAppRoutes } from './routes/routes.tsx';
import { showStartFailure } from './start-failure.ts';

/** Fonts must not compete with the first page, which uses the device's font until they are loaded. */
const loadFonts = () => import('../ui/styles/fonts.css').catch(() => undefined);
// On a later visit the fonts are cached on the device.
if (navigator.serviceWorker?.controller) void loadFonts();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// Not awaited, because pages import parts of this chunk, and would wait for it while it waits for them.
start(root).catch((error: unknown) => {
  console.error(error);
  showStartFailure(root, () => location.reload());
});

async function start(root: HTMLElement): Promise<void> {
  const texts = startI18n();
  // The modules have just run; before continuing, the browser may handle input.
  await yieldToBrowser();
  // Nothing waits for it, because a call that needs the cookie sooner requests it itself.
  csrf.refresh().catch(() => undefined);
  const settings = await takeBoot(queryClient);
  document.title = settings.brand;

  const router = createBrowserRouter(createAppRoutes(queryClient));
  followCallRules(router, queryClient);
  // The content of index.html stays until a page replaces it.
  await Promise.all([texts, firstPage(router)]);

  // In slices of a few milliseconds, so that a slow phone can scroll and handle input during the first render.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Providers queryClient={queryClient} router={router} />
        <AfterPaint work={loadFonts} />
      </StrictMode>,
    ),
  );
  whenIdle(async () => (await import('./user-listener.ts')).listenForUser(queryClient));
  whenIdle(async () => (await import('./user-language.ts')).keepLanguageStored(queryClient));
  whenIdle(() => loadTexts(['refusals']).catch(() => undefined));
  if (import.meta.env.PROD) {
    whenIdle(async () => (await import('./update/service-worker.ts')).startServiceWorker(navigator.serviceWorker));
  }
}

function yieldToBrowser(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Runs its work after the surrounding page was painted. */
function AfterPaint({ work }: { work: () => unknown }) {
  useEffect(() => {
    requestAnimationFrame(() => setTimeout(work));
  }, [work]);
  return null;
}
