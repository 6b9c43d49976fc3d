import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Spinner } from '../../ui/layout/spinner.tsx';

interface MapNoticeProps {
  isLoading: boolean;
  isFailed: boolean;
  onRetry: () => void;
}

/** Shown while the map has no stations yet. */
export function MapNotice({ isLoading, isFailed, onRetry }: MapNoticeProps) {
  const text = useText();
  return (
    <div className="pointer-events-none fixed inset-x-0 top-[calc(env(safe-area-inset-top)+5rem)] z-10 flex justify-center">
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
      </p>
      {isFailed && (
        <Button kind="secondary" size="s" onPress={onRetry} className="pointer-events-auto shadow-float">
          {text('map:loadAgain')}
        </Button>
      )}
    </div>
  );
}
