import { lazy, Suspense, useEffect, useRef } from 'react';
import { NetworkError } from '../../api/errors.ts';
import { isRouteErrorResponse, useRevalidator, useRouteError } from '../../router/index.ts';
import { LoadFailure } from '../../ui/layout/load-failure.tsx';
import { Page as NotFoundPage } from './not-found.tsx';

/** Loaded when it is needed, because the first page must not carry what only a failed one uses. */
const BrokenPage = lazy(async () => ({ default: (await import('./broken-page.tsx')).BrokenPage }));

/** Replaces a page whose guard, loader or rendering failed. */
export function ErrorPage() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  // Not every browser requests code again after a failed load, so the page is reloaded.
  if (isChunkLost(error)) return <OfflinePage onTry={() => location.reload()} />;
  if (error instanceof NetworkError) return <OfflinePage />;
  return (
    <Suspense>
      <BrokenPage error={error} />
    </Suspense>
  );
}

/** Also tries by itself when the network is back, so that the driver does not have to wait for it. */
function OfflinePage({ onTry }: { onTry?: () => void }) {
  const { revalidate, state } = useRevalidator();
  const tryAgain = onTry ?? (() => void revalidate());
  const latest = useRef(tryAgain);
  latest.current = tryAgain;
  useEffect(() => {
    const onOnline = () => latest.current();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
  return <LoadFailure isOffline isTrying={state === 'loading'} onTry={tryAgain} />;
}

/**
 * A page's code is loaded when it is first opened; when that fails, each browser throws a TypeError with a different
 * text.
 */
function isChunkLost(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message);
}
