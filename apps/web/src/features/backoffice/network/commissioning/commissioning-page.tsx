import {
  type CommissioningStep,
  commissioningReport,
  finishCommissioning,
  getCommissioning,
  recordFault,
  startCommissioning,
} from '@fpay/contract/admin/network/commissioning';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { addressOf } from '../../../../api/address.ts';
import { call } from '../../../../api/call.ts';
import { errorText } from '../../../../api/error-text.ts';
import { NetworkError } from '../../../../api/errors.ts';
import { useLanguage, useText } from '../../../../i18n/use-text.ts';
import { useParams } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { LoadFailure } from '../../../../ui/layout/load-failure.tsx';
import { SkeletonList } from '../../../../ui/layout/skeleton.tsx';
import { notify } from '../../../../ui/overlay/popups.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { StepRow } from './step-row.tsx';

/** The technician stands at the charger and waits for each report. */
const watchMs = 2_000;

const commissioningQuery = (id: number) =>
  queryOptions({
    queryKey: ['backoffice', 'commissioning', id],
    queryFn: ({ signal }) => call(getCommissioning, { params: { id: String(id) }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && state.data.finished_at === null ? watchMs : false),
  });

/** The checklist of a new charge point, for a phone. */
export function Page() {
  const text = useText();
  const language = useLanguage();
  const queryClient = useQueryClient();
  const id = Number(useParams().chargePoint);
  const query = commissioningQuery(id);
  const { data, error, isFetching, refetch } = useQuery(query);
  const answered = {
    onSuccess: (result: NonNullable<typeof data>) => queryClient.setQueryData(query.queryKey, result),
    onError: (failure: Error) => void notify(text(errorText(failure))),
  };
  const starting = useMutation({
    ...answered,
    mutationFn: () => call(startCommissioning, { params: { id: String(id) } }),
  });
  const recording = useMutation({
    ...answered,
    mutationFn: ({ step, note }: { step: CommissioningStep; note: string }) =>
      call(recordFault, {
        params: { id: String(data?.id) },
        body: { check: step.check, connector: step.connector, note },
      }),
  });
  const finishing = useMutation({
    ...answered,
    mutationFn: () => call(finishCommissioning, { params: { id: String(data?.id) } }),
  });
  const ready = data?.steps.filter(({ state }) => state === 'done' || state === 'fault').length ?? 0;
  const all = data?.steps.length ?? 0;
  const left = all - ready;
  return (
    <StaffPage
      title={text('network:commissioning')}
      subtitle={data && [data.charge_point.identity, data.charge_point.station].filter(Boolean).join(' · ')}
      back={`/admin/network/charge-points/${id}`}
    >
      {data ? (
        <div className="flex w-full max-w-2xl flex-col gap-3">
          <div>
            <p className="flex justify-between gap-2 text-label">
              {text('network:stepsDone', { done: ready, all })}
              <span className="text-ink-2">{data.staff}</span>
            </p>
            <div className="mt-2 h-2.5 overflow-hidden rounded-full bg-surface-2" aria-hidden="true">
              <div className="h-full bg-free-fill" style={{ width: `${(100 * ready) / Math.max(1, all)}%` }} />
            </div>
          </div>
          <ul
            aria-label={text('network:commissioning')}
            className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card"
          >
            {data.steps.map((step) => (
              <StepRow
                key={`${step.check} ${step.connector}`}
                step={step}
                chargePoint={id}
                isOpen={data.finished_at === null}
                isBusy={recording.isPending}
                onFault={(note) => recording.mutate({ step, note })}
              />
            ))}
          </ul>
          {data.finished_at === null ? (
            <Button
              kind="main"
              disabled={left > 0}
              disabledLabel={text('network:stepsLeft', { count: left })}
              busy={finishing.isPending}
              onPress={() => finishing.mutate()}
            >
              {text('network:finishCommissioning')}
            </Button>
          ) : (
            <div className="grid gap-2 sm:grid-cols-2">
              <Button
                kind="main"
                href={addressOf(commissioningReport, { params: { id: String(data.id) }, query: { language } }).url}
              >
                {text('network:reportPdf')}
              </Button>
              <Button busy={starting.isPending} onPress={() => starting.mutate()}>
                {text('network:commissionAgain')}
              </Button>
            </div>
          )}
        </div>
      ) : data === null ? (
        <Card className="flex max-w-2xl flex-col gap-4">
          <p className="text-body">{text('network:commissioningText')}</p>
          <Button kind="main" busy={starting.isPending} onPress={() => starting.mutate()}>
            {text('network:begin')}
          </Button>
        </Card>
      ) : error ? (
        <LoadFailure
          level={2}
          isOffline={error instanceof NetworkError}
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      ) : (
        <SkeletonList rows={6} />
      )}
    </StaffPage>
  );
}
