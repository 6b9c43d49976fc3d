import Unplug from 'lucide-react/icons/unplug';
import WifiOff from 'lucide-react/icons/wifi-off';
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router';
import { NetworkError } from '../../api/errors.ts';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { Page as NotFoundPage } from './not-found.tsx';

/** Stands in for a page whose guard, loader or drawing failed. */
export function ErrorPage() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  return <FailedPage isOffline={error instanceof NetworkError || isChunkLost(error)} />;
}

function FailedPage({ isOffline }: { isOffline: boolean }) {
  const text = useText();
  const { revalidate, state } = useRevalidator();
  return (
    <EmptyState
      drawing={isOffline ? <WifiOff size={64} strokeWidth={1.5} /> : <Unplug size={64} strokeWidth={1.5} />}
      tone={isOffline ? 'occupied' : 'error'}
      title={isOffline ? text('generic:noConnection') : text('generic:somethingWrong')}
      text={isOffline ? text('generic:noConnectionText') : text('generic:somethingWrongText')}
      actions={
        <MainButton busy={state === 'loading'} onPress={() => revalidate()}>
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
