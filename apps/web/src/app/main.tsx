import './no-eval.ts';
import '../ui/styles/app.css';
import { StrictMode, startTransition, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { csrf } from '../api/call.ts';
import { loadTexts, startI18n } from '../i18n/i18n.ts';
import { createBrowserRouter } from '../router/index.ts';
import { whenIdle } from '../ui/when-idle.ts';
import { takeBoot } from './boot.ts';
import { followCallRules } from './call-rules.ts';
import { firstPage } from './first-page.ts';
import { Providers } from './providers.tsx';
import { queryClient } from './query-client.ts';
import { createRoutes } from './routes/routes.tsx';
import { showStartFailure } from './start-failure.ts';
import { startServiceWorker } from './update/service-worker.ts';

/** They must not compete with the first page: it stands in the device's own face until they are there. */
const loadFonts = () => import('../ui/styles/fonts.css').catch(() => undefined);
// Who was here before has them on the device.
if (navigator.serviceWorker?.controller) void loadFonts();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// Not awaited: pages import parts of this very chunk, and would wait for it while it waits for them.
start(root).catch((error: unknown) => {
  console.error(error);
  showStartFailure(root, () => location.reload());
});

async function start(root: HTMLElement): Promise<void> {
  const words = startI18n();
  // The code has only just been run through: before it goes on, a finger may be answered.
  await breath();
  // Nothing waits for it: a call that needs the cookie sooner asks for it again.
  csrf.refresh().catch(() => undefined);
  const settings = await takeBoot(queryClient);
  document.title = settings.brand;

  const router = createBrowserRouter(createRoutes(queryClient));
  followCallRules(router, queryClient);
  // What index.html shows stays until there is a page to take its place.
  await Promise.all([words, firstPage(router)]);

  // In slices of a few milliseconds: a weak phone goes on scrolling and answering while the first page is made.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Providers queryClient={queryClient} router={router} />
        <AfterPaint work={loadFonts} />
      </StrictMode>,
    ),
  );
  whenIdle(async () => (await import('./user-listener.ts')).listenForUser(queryClient));
  whenIdle(() => loadTexts(['refusals']).catch(() => undefined));
  if (import.meta.env.PROD) whenIdle(() => startServiceWorker(navigator.serviceWorker));
}

function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Runs its work once the page it stands on has been seen. */
function AfterPaint({ work }: { work: () => unknown }) {
  useEffect(() => {
    requestAnimationFrame(() => setTimeout(work));
  }, [work]);
  return null;
}
