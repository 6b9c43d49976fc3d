import type { MaintenanceState } from '@fpay/contract/maintenance';
import { useQuery } from '@tanstack/react-query';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useText } from '../../i18n/use-text.ts';
import { Navigate } from '../../router/index.ts';
import { MainButton } from '../../ui/form/main-button.tsx';
import { DateTime } from '../../ui/format/date-time.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { Card } from '../../ui/layout/card.tsx';
import { ProgressBar } from '../../ui/layout/progress-bar.tsx';
import { useSettings } from '../settings/queries.ts';
import { MaintenanceDrawing } from './drawing.tsx';
import { elapsedPercent, minutesLeft } from './progress.ts';
import { maintenanceQueries } from './queries.ts';

/**
 * Often enough that a waiting driver does not have to press anything, and rare enough for a service that is starting.
 */
const pollIntervalMs = 30_000;

export function Page() {
  const text = useText();
  const { brand } = useSettings();
  const {
    data: state,
    isFetching,
    isError,
    refetch,
  } = useQuery({
    ...maintenanceQueries.state(),
    refetchInterval: pollIntervalMs,
  });

  // A failed request proves nothing; only an answer ends the page.
  if (state && !state.is_down && !isError) return <Navigate to="/" replace />;
  return (
    <div className="flex flex-1 flex-col px-4">
      <div className="flex flex-1 flex-col justify-center gap-9 py-6 [@media(max-height:700px)]:gap-4 [@media(max-height:700px)]:py-2">
        <MaintenanceDrawing />
        <div className="mx-auto max-w-[22rem] text-center">
          <h1 className="text-h1">{text('maintenance:title', { brand })}</h1>
          <p className="mt-2 text-body text-ink-2 text-pretty">
            {state?.text ?? text('maintenance:unavailable')} {text('maintenance:chargingGoesOn')}
          </p>
        </div>
        {state?.is_down && <Schedule state={state} />}
      </div>
      <div className="sticky bottom-0 bg-bg pt-2 pb-dock">
        <p role="status" className="mb-2 text-center text-note text-ink-2">
          {isError && !isFetching && text('maintenance:checkFailed')}
        </p>
        <MainButton icon={<RefreshCw aria-hidden="true" size={20} />} busy={isFetching} onPress={() => refetch()}>
          {text('maintenance:checkAgain')}
        </MainButton>
      </div>
    </div>
  );
}

function Schedule({ state }: { state: MaintenanceState }) {
  const text = useText();
  const now = useNow(10_000);
  const left = minutesLeft(state, now);
  const elapsed = elapsedPercent(state, now);
  return (
    <Card className="mx-auto w-full max-w-[26rem] p-5">
      <dl className="flex justify-between gap-4">
        {state.start_time && <Moment label={text('maintenance:start')} instant={state.start_time} now={now} />}
        {left !== null && (
          <div className="text-center">
            <dt className="text-small text-ink-2">{text('maintenance:left')}</dt>
            <dd className="tabular text-card font-extrabold text-occupied">
              {text('maintenance:minutes', { count: left })}
            </dd>
          </div>
        )}
        {state.end_time && <Moment label={text('maintenance:end')} instant={state.end_time} now={now} isLast />}
      </dl>
      {elapsed !== null && (
        <div className="mt-4">
          <ProgressBar label={text('maintenance:progress')} percent={elapsed} />
        </div>
      )}
      {!state.end_time && (
        <p className={state.start_time ? 'mt-3 text-label' : 'text-center text-label'}>
          {text('maintenance:asSoonAsPossible')}
        </p>
      )}
    </Card>
  );
}

interface MomentProps {
  label: string;
  instant: string;
  now: number;
  isLast?: boolean;
}

/** On the same day the time is enough. */
function Moment({ label, instant, now, isLast = false }: MomentProps) {
  const isToday = dayOf(instant) === dayOf(new Date(now).toISOString());
  return (
    <div className={isLast ? 'text-right' : undefined}>
      <dt className="text-small text-ink-2">{label}</dt>
      <dd className="text-card font-extrabold">
        <DateTime instant={instant} form={isToday ? 'time' : 'dateTime'} />
      </dd>
    </div>
  );
}

function dayOf(instant: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Kyiv' }).format(new Date(instant));
}
