import Unplug from 'lucide-react/icons/unplug';
import WifiOff from 'lucide-react/icons/wifi-off';
import { NetworkError } from '../../api/errors.ts';
import { useText } from '../../i18n/use-text.ts';
import { isRouteErrorResponse, useRevalidator, useRouteError } from '../../router/index.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { Page as NotFoundPage } from './not-found.tsx';

/** Stands in for a page whose guard, loader or drawing failed. */
export function ErrorPage() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  // Code that failed to come once is not asked for again by every browser: only a new start is sure to.
  if (isChunkLost(error)) return <FailedPage isOffline onTry={() => location.reload()} />;
  return <FailedPage isOffline={error instanceof NetworkError} />;
}

function FailedPage({ isOffline, onTry }: { isOffline: boolean; onTry?: () => void }) {
  const text = useText();
  const { revalidate, state } = useRevalidator();
  return (
    <EmptyState
      drawing={isOffline ? <WifiOff size={64} strokeWidth={1.5} /> : <Unplug size={64} strokeWidth={1.5} />}
      tone={isOffline ? 'occupied' : 'error'}
      title={isOffline ? text('generic:noConnection') : text('generic:somethingWrong')}
      text={isOffline ? text('generic:noConnectionText') : text('generic:somethingWrongText')}
      actions={
        <MainButton busy={state === 'loading'} onPress={onTry ?? (() => void revalidate())}>
          {text('generic:tryAgain')}
        </MainButton>
      }
    />
  );
}

/** A page's code is fetched when it is first opened; in each browser that fails with a TypeError of its own words. */
function isChunkLost(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message);
}
