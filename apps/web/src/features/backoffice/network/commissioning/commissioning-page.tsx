import {
  type Commissioning,
  type CommissioningStep,
  commissioningReport,
  finishCommissioning,
  getCommissioning,
  recordFault,
  startCommissioning,
} from '@fpay/contract/admin/network/commissioning';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { addressOf } from '../../../../api/address.ts';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import { Loaded } from '../../../../data/loaded.tsx';
import { useLanguage, useText } from '../../../../i18n/use-text.ts';
import { useParams } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
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
  const id = Number(useParams().chargePoint);
  const found = useQuery(commissioningQuery(id));
  const { charge_point } = found.data ?? {};
  return (
    <StaffPage
      title={text('network:commissioning')}
      subtitle={charge_point && [charge_point.identity, charge_point.station].filter(Boolean).join(' · ')}
      back={`/admin/network/charge-points/${id}`}
    >
      <Loaded query={found}>
        {(commissioning) =>
          commissioning ? <Steps chargePoint={id} commissioning={commissioning} /> : <NotBegun chargePoint={id} />
        }
      </Loaded>
    </StaffPage>
  );
}

/** Every answer is the whole list of tests, which replaces the shown one. */
function useAnswer(chargePoint: number) {
  const queryClient = useQueryClient();
  const { queryKey } = commissioningQuery(chargePoint);
  return { onSuccess: (answer: Commissioning) => void queryClient.setQueryData(queryKey, answer) };
}

function useStart(chargePoint: number) {
  return useAction(() => call(startCommissioning, { params: { id: String(chargePoint) } }), useAnswer(chargePoint));
}

function NotBegun({ chargePoint }: { chargePoint: number }) {
  const text = useText();
  const starting = useStart(chargePoint);
  return (
    <Card className="flex max-w-2xl flex-col gap-4">
      <p className="text-body">{text('networkCommissioning:commissioningText')}</p>
      <Button kind="main" busy={starting.isPending} onPress={() => starting.mutate()}>
        {text('networkCommissioning:begin')}
      </Button>
    </Card>
  );
}

interface StepsProps {
  chargePoint: number;
  commissioning: Commissioning;
}

function Steps({ chargePoint, commissioning }: StepsProps) {
  const text = useText();
  const { steps, finished_at } = commissioning;
  const params = { id: String(commissioning.id) };
  const recording = useAction(
    ({ step: { check, connector }, note }: { step: CommissioningStep; note: string }) =>
      call(recordFault, { params, body: { check, connector, note } }),
    useAnswer(chargePoint),
  );
  const done = steps.filter(({ state }) => state === 'done' || state === 'fault').length;
  return (
    <div className="flex w-full max-w-2xl flex-col gap-3">
      <div>
        <p className="flex justify-between gap-2 text-label">
          {text('networkCommissioning:stepsDone', { done, all: steps.length })}
          <span className="text-ink-2">{commissioning.staff}</span>
        </p>
        <div className="mt-2 h-2.5 overflow-hidden rounded-full bg-surface-2" aria-hidden="true">
          <div className="h-full bg-free-fill" style={{ width: `${(100 * done) / Math.max(1, steps.length)}%` }} />
        </div>
      </div>
      <ul
        aria-label={text('network:commissioning')}
        className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card"
      >
        {steps.map((step) => (
          <StepRow
            key={`${step.check} ${step.connector}`}
            step={step}
            chargePoint={chargePoint}
            isOpen={finished_at === null}
            isBusy={recording.isPending}
            onFault={(note) => recording.mutate({ step, note })}
          />
        ))}
      </ul>
      {finished_at === null ? (
        <Finish chargePoint={chargePoint} params={params} left={steps.length - done} />
      ) : (
        <Report chargePoint={chargePoint} params={params} />
      )}
    </div>
  );
}

interface EndProps {
  chargePoint: number;
  params: { id: string };
}

function Finish({ chargePoint, params, left }: EndProps & { left: number }) {
  const text = useText();
  const finishing = useAction(() => call(finishCommissioning, { params }), useAnswer(chargePoint));
  return (
    <Button
      kind="main"
      disabled={left > 0}
      disabledLabel={text('networkCommissioning:stepsLeft', { count: left })}
      busy={finishing.isPending}
      onPress={() => finishing.mutate()}
    >
      {text('networkCommissioning:finishCommissioning')}
    </Button>
  );
}

function Report({ chargePoint, params }: EndProps) {
  const text = useText();
  const language = useLanguage();
  const starting = useStart(chargePoint);
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      <Button kind="main" href={addressOf(commissioningReport, { params, query: { language } }).url}>
        {text('networkCommissioning:reportPdf')}
      </Button>
      <Button busy={starting.isPending} onPress={() => starting.mutate()}>
        {text('networkCommissioning:commissionAgain')}
      </Button>
    </div>
  );
}
