import { headStartMinutes } from '@fpay/contract/free-alerts';
import type { SiteQueueState } from '@fpay/contract/site-queue';
import Users from 'lucide-react/icons/users';
import Zap from 'lucide-react/icons/zap';
import { lazy, Suspense } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';

const AlertChannels = lazy(async () => ({ default: (await import('./alert-channels.tsx')).AlertChannels }));

interface QueueCardProps {
  queue: SiteQueueState;
  /** The driver had a place, and it has ended without their doing. */
  isOver: boolean;
  onChannels: () => void;
}

/** The queue of a site that has no power: what it gives before one joins, and then the place in it. */
export function QueueCard({ queue: { waiting, turn_at, is_reachable, place }, isOver, onChannels }: QueueCardProps) {
  const text = useText();
  if (place?.head_start_until)
    return (
      <p role="status" className="flex gap-3 rounded-card bg-free-tint p-4 text-note">
        <Zap aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-free" />
        <span>
          <strong className="block text-label font-bold text-free">{text('payment:queueYours')}</strong>
          {text('payment:queueYoursText')} <DateTime instant={place.head_start_until} form="time" />
        </span>
      </p>
    );
  const ahead = place?.ahead ?? waiting;
  const turnAt = place ? place.turn_at : turn_at;
  return (
    <section className="flex flex-col gap-3">
      {!place && <h2 className="text-card">{text('payment:queueTitle')}</h2>}
      <p role="status" className="flex gap-3 rounded-card bg-charging-tint p-4 text-note">
        <Users aria-hidden="true" size={20} className="mt-0.5 shrink-0 text-charging" />
        <span>
          <strong className="block text-label font-bold">
            {ahead > 0
              ? text('payment:alertAhead', { count: ahead })
              : text(place ? 'payment:queueFirst' : 'payment:queueNone')}
          </strong>
          {turnAt === null ? (
            text('payment:queueUnknown')
          ) : (
            <>
              {text('payment:queueAt')} <DateTime instant={turnAt} form="time" />
            </>
          )}
          <span className="mt-1 block">
            {isOver ? text('payment:queueOver') : text('payment:queueAbout', { minutes: headStartMinutes })}
          </span>
        </span>
      </p>
      <Suspense>
        <AlertChannels onChanged={onChannels} />
      </Suspense>
      {!is_reachable && <p className="text-note text-occupied">{text('payment:queueKeepOpen')}</p>}
    </section>
  );
}
