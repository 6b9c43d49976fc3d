import { lazy, Suspense, useEffect, useRef } from 'react';
import { NetworkError } from '../../api/errors.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { isRouteErrorResponse, useRevalidator, useRouteError } from '../../router/index.ts';
import { LoadFailure } from '../../ui/layout/load-failure.tsx';
import { Page as NotFoundPage } from './not-found.tsx';

/** Loaded when it is needed, because the first page must not carry what only a failed one uses. */
const BrokenPage = lazy(() =>
  Promise.all([import('./broken-page.tsx'), loadTexts(['refusals'])]).then(
    ([{ BrokenPage }]) => ({ default: BrokenPage }),
    () => ({ default: () => <FailedPage isOffline={false} /> }),
  ),
);

/** Replaces a page whose guard, loader or rendering failed. */
export function ErrorPage() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  // Not every browser requests code again after a failed load, so the page is reloaded.
  if (isChunkLost(error)) return <FailedPage isOffline onTry={() => location.reload()} />;
  if (error instanceof NetworkError) return <FailedPage isOffline />;
  return (
    <Suspense fallback={<FailedPage isOffline={false} />}>
      <BrokenPage error={error} />
    </Suspense>
  );
}

interface FailedPageProps {
  isOffline: boolean;
  onTry?: () => void;
}

function FailedPage({ isOffline, onTry }: FailedPageProps) {
  const { revalidate, state } = useRevalidator();
  const tryAgain = onTry ?? (() => void revalidate());
  useOnReturnOfNetwork(isOffline, tryAgain);
  return <LoadFailure isOffline={isOffline} isTrying={state === 'loading'} onTry={tryAgain} />;
}

/** The driver does not have to wait for the network. */
function useOnReturnOfNetwork(isWaiting: boolean, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!isWaiting) return;
    const onOnline = () => latest.current();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [isWaiting]);
}

/**
 * A page's code is loaded when it is first opened; when that fails, each browser throws a TypeError with a different
 * text.
 */
function isChunkLost(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message);
}
