import WifiOff from 'lucide-react/icons/wifi-off';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Spinner } from '../../ui/form/spinner.tsx';

interface MapNoticeProps {
  isLoading: boolean;
  isFailed: boolean;
  /** The last request got no answer. */
  isOffline: boolean;
  onRetry: () => void;
}

/** Shown while the map has no stations yet, or its stations may be out of date. */
export function MapNotice({ isLoading, isFailed, isOffline, onRetry }: MapNoticeProps) {
  const text = useText();
  return (
    <div className="pointer-events-none fixed inset-x-0 top-[calc(env(safe-area-inset-top)+5rem)] z-10 flex justify-center px-4 lg:left-[400px] lg:top-4">
      <p
        role="status"
        className="flex min-h-11 items-center gap-2.5 rounded-control bg-surface px-4 text-label shadow-float empty:hidden"
      >
        {isLoading && (
          <>
            <Spinner />
            {text('map:loading')}
          </>
        )}
        {isOffline && (
          <>
            <WifiOff aria-hidden="true" size={20} className="shrink-0 text-ink-2" />
            {text(isFailed ? 'map:offlineEmpty' : 'map:offlineStale')}
          </>
        )}
      </p>
      {isFailed && !isOffline && (
        <Button kind="secondary" size="s" onPress={onRetry} className="pointer-events-auto shadow-float">
          {text('map:loadAgain')}
        </Button>
      )}
    </div>
  );
}
