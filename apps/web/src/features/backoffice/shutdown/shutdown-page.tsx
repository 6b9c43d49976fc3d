import { type ShutdownState, shutDown, shutdownState, turnOn } from '@fpay/contract/admin/shutdown';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import Power from 'lucide-react/icons/power';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { FactRow } from '../../../ui/layout/fact-row.tsx';
import { ProgressBar } from '../../../ui/layout/progress-bar.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { confirm } from '../../../ui/overlay/popups.ts';
import { elapsedPercent, minutesLeft } from '../../maintenance/queries.ts';
import { noDate } from '../parts/data-list.tsx';
import { pollMs } from '../queries.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { ShutdownForm } from './shutdown-form.tsx';

const stateQuery = queryOptions({
  queryKey: ['backoffice', 'shutdown'],
  queryFn: ({ signal }) => call(shutdownState, { signal }),
  staleTime: 0,
  refetchInterval: pollMs,
});

/** The state of the service, and the form that shuts it down or turns it on. */
export function Page() {
  const text = useText();
  const queryClient = useQueryClient();
  const found = useQuery(stateQuery);
  const { refetch, dataUpdatedAt } = found;
  // The state is read again after each action, because another staff member may have acted too.
  const after = { onSettled: () => void queryClient.invalidateQueries(stateQuery) };
  const shutting = useAction(
    (body: Parameters<typeof call<typeof shutDown>>[1]['body']) => call(shutDown, { body }),
    after,
  );
  const turning = useAction(() => call(turnOn), after);

  async function askToTurnOn() {
    if (await confirm({ title: text('adminShutdown:turnOnQuestion'), effect: text('adminShutdown:turnOnEffect') }))
      turning.mutate();
  }

  return (
    <StaffPage
      title={text('admin:shutdown')}
      back="/admin"
      actions={<RefreshButton onRefresh={() => void refetch()} fetchedAt={dataUpdatedAt} />}
    >
      <Loaded query={found} waiting={<Skeleton className="h-48 rounded-card" />}>
        {(state) => (
          <div className="grid items-start gap-3 lg:grid-cols-2">
            <Card className="flex flex-col gap-3">
              <State state={state} />
              {(state.is_down || state.is_planned) && (
                <Button
                  kind="main"
                  icon={<Power aria-hidden="true" size={20} />}
                  busy={turning.isPending}
                  onPress={() => void askToTurnOn()}
                >
                  {text('adminShutdown:turnOn')}
                </Button>
              )}
            </Card>
            {!state.is_down && (
              <Card>
                <ShutdownForm isBusy={shutting.isPending} onShutDown={(body) => shutting.mutate(body)} />
              </Card>
            )}
          </div>
        )}
      </Loaded>
    </StaffPage>
  );
}

function State({ state }: { state: ShutdownState }) {
  const text = useText();
  const now = useNow(1000);
  const elapsed = state.is_down ? elapsedPercent(state, now) : null;
  const left = state.is_down ? minutesLeft(state, now) : null;
  return (
    <>
      <p className="flex items-center justify-between gap-2">
        <span className="text-card">{text('adminShutdown:serviceState')}</span>
        {state.is_down ? (
          <Badge tone="error">{text('adminShutdown:serviceDown')}</Badge>
        ) : state.is_planned ? (
          <Badge tone="occupied">{text('adminShutdown:servicePlanned')}</Badge>
        ) : (
          <Badge tone="free">{text('adminShutdown:serviceUp')}</Badge>
        )}
      </p>
      <dl className="flex flex-col gap-1 text-note">
        <FactRow name={text('adminShutdown:start')}>
          {state.start_time ? <DateTime instant={state.start_time} /> : noDate}
        </FactRow>
        <FactRow name={text('adminShutdown:end')}>
          {state.end_time ? (
            <DateTime instant={state.end_time} />
          ) : state.is_down || state.is_planned ? (
            text('adminShutdown:asSoonAsPossible')
          ) : (
            noDate
          )}
        </FactRow>
        <FactRow name={text('admin:message')}>{state.text ?? '—'}</FactRow>
        {left !== null && (
          <FactRow name={text('adminShutdown:timeLeft')}>{text('admin:minutes', { count: left })}</FactRow>
        )}
      </dl>
      {elapsed !== null && <ProgressBar label={text('adminShutdown:progress')} percent={elapsed} />}
    </>
  );
}
