import { useText } from '../../i18n/use-text.ts';
import { useUpdate } from './service-worker.ts';

/** A bar at the bottom of the page, so that a driver can finish first and refresh later. */
export function UpdateBar() {
  const text = useText();
  const activate = useUpdate((update) => update.activate);
  if (!activate) return null;
  return (
    <div
      role="status"
      className="sticky bottom-0 z-30 mt-auto flex items-center gap-3 bg-surface py-1 pr-2 pb-[max(0.25rem,env(safe-area-inset-bottom))] pl-4 text-note shadow-card"
    >
      <span className="min-w-0 flex-1">{text('generic:newVersion')}</span>
      <button
        type="button"
        onClick={activate}
        className="flex min-h-11 items-center rounded-control px-3 font-bold text-accent-text active:bg-surface-2"
      >
        {text('generic:refreshNow')}
      </button>
    </div>
  );
}
