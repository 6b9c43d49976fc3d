import { connectorTypes } from '@fpay/contract/connectors';
import type { FreeConnector } from '@fpay/contract/free-connector';
import Zap from 'lucide-react/icons/zap';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { MainButton } from '../../../ui/form/main-button.tsx';
import { Dock } from '../../../ui/layout/dock.tsx';
import { FreeNearby } from '../free-alert/free-nearby.tsx';
import { QueueCard } from '../free-alert/queue-card.tsx';
import { useSiteQueue } from '../free-alert/site-queue.ts';
import type { ChosenProps } from './chosen-connector.tsx';
import { StepTitle } from './steps.tsx';

interface SiteFullProps extends ChosenProps {
  free: readonly FreeConnector[];
  /** The limit is about the moment, so the same payment can be tried again. */
  onAgain: () => void;
}

/** The site of the station has no power left for another charge. Nothing was charged, and nothing is while one waits. */
export function SiteFull({ station, connector, free, onAgain }: SiteFullProps) {
  const text = useText();
  const number = connector.station_number ?? station.number;
  const type = connectorTypes[connector.type].name;
  const [nearest] = free;
  const { state, join, leave, refetch, isOver } = useSiteQueue(number, connector);
  const queue = state !== null && (state.is_open || state.place !== null) ? state : null;
  const place = queue?.place ?? null;
  const isTurn = place?.head_start_until != null;
  return (
    <>
      <div className="flex flex-1 animate-step flex-col gap-5 px-4 pb-6">
        {!isTurn && (
          <div
            role="alert"
            className="flex items-center gap-3.5 rounded-card bg-surface p-4 shadow-[inset_0_0_0_1.5px_var(--occupied-fill)]"
          >
            <span
              aria-hidden="true"
              className="grid size-13 shrink-0 place-items-center rounded-control bg-occupied-tint text-occupied"
            >
              <Zap size={28} />
            </span>
            <div className="min-w-0">
              <StepTitle>
                <span className="text-card">{text('payment:siteFull', { number })}</span>
              </StepTitle>
              <p className="text-note text-ink-2">{text('payment:siteFullText')}</p>
            </div>
          </div>
        )}
        {queue && <QueueCard queue={queue} isOver={isOver} onChannels={refetch} />}
        {isTurn ? null : free.length > 0 ? (
          <FreeNearby free={free} title={text('payment:freeOfType', { type })} />
        ) : (
          <p className="text-note text-ink-2">{text('payment:siteFullNone')}</p>
        )}
      </div>
      <Dock>
        {isTurn && <MainButton onPress={onAgain}>{text('payment:queuePay')}</MainButton>}
        {queue && !place && (
          <MainButton busy={join.isPending} onPress={() => join.mutate()}>
            {text('payment:queueJoin')}
          </MainButton>
        )}
        {nearest && !queue && (
          <MainButton to={`/station/${nearest.number}`}>{text('payment:goTo', { number: nearest.number })}</MainButton>
        )}
        {place ? (
          <Button busy={leave.isPending} onPress={() => leave.mutate(place.id)}>
            {text('payment:queueLeave')}
          </Button>
        ) : (
          <Button onPress={onAgain}>{text('payment:siteFullAgain')}</Button>
        )}
      </Dock>
    </>
  );
}
