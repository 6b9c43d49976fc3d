import { useEffect, useRef } from 'react';
import { NetworkError } from '../../api/errors.ts';
import { isRouteErrorResponse, useRevalidator, useRouteError } from '../../router/index.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { Page as NotFoundPage } from './not-found.tsx';

/** Stands in for a page whose guard, loader or drawing failed. */
export function ErrorPage() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  // Code that failed to come once is not asked for again by every browser: only a new start is sure to.
  if (isChunkLost(error)) return <FailedPage isOffline onTry={() => location.reload()} />;
  return <FailedPage isOffline={error instanceof NetworkError} />;
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

/** The driver need not watch for it. */
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

/** A page's code is fetched when it is first opened; in each browser that fails with a TypeError of its own words. */
function isChunkLost(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message);
}
