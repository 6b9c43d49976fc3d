import { type ComponentType, lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { loadTexts } from '../../i18n/i18n.ts';
import { Outlet, ScrollRestoration, useLocation } from '../../router/index.ts';
import { useOnChange } from '../../ui/hooks/use-on-change.ts';
import { whenIdle } from '../../ui/hooks/when-idle.ts';
import { OpenMenuContext } from '../../ui/layout/open-menu.ts';
import { usePopups } from '../../ui/overlay/popups.ts';
import { BrandHeader } from './brand-header.tsx';
import { useHeader } from './header-of-route.ts';
import { TopBar } from './top-bar.tsx';

const loadMenu = () => import('./menu-panel.tsx');
const loadPopups = () => import('../../ui/overlay/popup-host.tsx');
const loadForLater = () => Promise.all([loadMenu(), loadPopups(), loadTexts(['refusals'])]);
const MapHeader = lazy(() => orNothing(import('./map-header.tsx').then((module) => module.MapHeader)));
const CameraHeader = lazy(() => orNothing(import('./camera-header.tsx').then((module) => module.CameraHeader)));
const UpdateBar = lazy(() => orNothing(import('../update/update-bar.tsx').then((module) => module.UpdateBar)));
const PageAnnouncer = lazy(() => orNothing(import('./page-announcer.tsx').then((module) => module.PageAnnouncer)));
const MenuPanel = lazy(async () => ({ default: (await loadMenu()).MenuPanel }));
const PopupHost = lazy(async () => ({ default: (await loadPopups()).PopupHost }));

/** The frame of every page: header, menu, popups. */
export function RootShell() {
  const header = useHeader();
  const [isMenuOpen, setMenuOpen] = useState(false);
  // Both stay mounted once they were needed, so that their closing is animated.
  const isMenuNeeded = useOnce(isMenuOpen);
  const arePopupsNeeded = useOnce(usePopups(({ waiting }) => waiting.length > 0));
  const { pathname } = useLocation();

  const [firstPath] = useState(pathname);
  // The name of the first page and the offer of a new version can wait until the page itself is shown.
  const [isIdle, setIdle] = useState(false);
  useEffect(
    () =>
      whenIdle(() => {
        setIdle(true);
        // A message about a lost network must not need the network.
        loadForLater().catch(() => undefined);
      }),
    [],
  );
  // The menu closes whenever the page changes.
  useOnChange([pathname], () => setMenuOpen(false));

  const openMenu = useCallback(() => setMenuOpen(true), []);
  return (
    <div
      data-testid="container"
      className="mx-auto flex min-h-dvh max-w-3xl flex-col pt-[env(safe-area-inset-top)] pr-[env(safe-area-inset-right)] pl-[env(safe-area-inset-left)]"
    >
      {header === 'bar' && <TopBar onMenu={openMenu} />}
      {header === 'brand' && <BrandHeader onMenu={openMenu} />}
      {header === 'brandOnly' && <BrandHeader />}
      <Suspense>
        {header === 'camera' && <CameraHeader onMenu={openMenu} />}
        {header === 'map' && <MapHeader onMenu={openMenu} />}
      </Suspense>
      <main className="flex flex-1 flex-col">
        <OpenMenuContext value={openMenu}>
          <Outlet />
        </OpenMenuContext>
      </main>
      <Suspense>{(isIdle || pathname !== firstPath) && <PageAnnouncer firstPath={firstPath} />}</Suspense>
      {/* Separate, so that neither waits for the other's code. */}
      <Suspense>{isMenuNeeded && <MenuPanel open={isMenuOpen} onClose={() => setMenuOpen(false)} />}</Suspense>
      <Suspense>{arePopupsNeeded && <PopupHost />}</Suspense>
      <Suspense>{isIdle && <UpdateBar />}</Suspense>
      <ScrollRestoration />
    </div>
  );
}

/** A network that is lost at this moment must not replace the page by an error. */
async function orNothing<Props>(loading: Promise<ComponentType<Props>>): Promise<{ default: ComponentType<Props> }> {
  return { default: await loading.catch(() => () => null) };
}

/** True from the first time on. */
function useOnce(happened: boolean): boolean {
  const [hasHappened, setHasHappened] = useState(happened);
  if (happened && !hasHappened) setHasHappened(true);
  return hasHappened;
}
