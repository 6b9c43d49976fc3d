import './no-eval.ts';
import '../ui/styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { csrf } from '../api/call.ts';
import { startI18n } from '../i18n/i18n.ts';
import { takeBoot } from './boot.ts';
import { followCallRules } from './call-rules.ts';
import { firstPage } from './first-page.ts';
import { Providers } from './providers.tsx';
import { queryClient } from './query-client.ts';
import { createRoutes } from './routes/routes.tsx';
import { whenIdle } from './shell/when-idle.ts';
import { showStartFailure } from './start-failure.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// Not awaited: pages import parts of this very chunk, and would wait for it while it waits for them.
start(root).catch((error: unknown) => {
  console.error(error);
  showStartFailure(root, () => location.reload());
});

async function start(root: HTMLElement): Promise<void> {
  // Nothing waits for it: a call that needs the cookie sooner asks for it again.
  csrf.refresh().catch(() => undefined);
  const [settings] = await Promise.all([takeBoot(queryClient), startI18n()]);
  document.title = settings.brand;

  const router = createBrowserRouter(createRoutes(queryClient));
  followCallRules(router, queryClient);
  // The loading animation of index.html stays until there is a page to take its place.
  await firstPage(router);

  createRoot(root).render(
    <StrictMode>
      <Providers queryClient={queryClient} router={router} />
    </StrictMode>,
  );
  whenIdle(async () => (await import('./user-listener.ts')).listenForUser(queryClient));
}
