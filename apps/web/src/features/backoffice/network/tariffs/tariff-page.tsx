import {
  addTariff,
  changeTariff,
  type networkTariff,
  TariffTerms,
  typedTerms,
} from '@fpay/contract/admin/network/tariffs';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { useNavigate, useParams } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Segmented } from '../../../../ui/form/segmented.tsx';
import { useWhen } from '../../../../ui/hooks/use-when.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { notify } from '../../../../ui/overlay/popups.ts';
import { MomentField } from '../../parts/moment-field.tsx';
import { type StaffForm, useForm } from '../../parts/use-form.ts';
import { useLeaveQuestion } from '../../parts/use-leave-question.ts';
import { useMay } from '../../parts/use-may.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { DayPreview } from './day-preview.tsx';
import { DiscountCard } from './discount-card.tsx';
import { emptyTariff, termsOf, typedTariff } from './form.ts';
import { IdleCard } from './idle-card.tsx';
import { tariffQueries } from './queries.ts';
import { discountFields, newTariffRequest, type PlannedTariff, tariffChange, tariffRules } from './rules.ts';
import { TariffHistory } from './tariff-history.tsx';
import { WeekEditor } from './week-editor.tsx';

type Tariff = ReplyOf<typeof networkTariff>;

/** One tariff, or a new one at the address `new`. */
export function Page() {
  const text = useText();
  const { id = '' } = useParams();
  const isNew = id === 'new';
  const tariff = useQuery({ ...tariffQueries.one(id), enabled: !isNew });
  if (isNew || tariff.data)
    return (
      <TariffEditor
        key={`${id}/${tariff.data?.changes[0]?.id}`}
        tariff={tariff.data ?? null}
        onChanged={() => void tariff.refetch()}
      />
    );
  return (
    <StaffPage title={text('network:tariff')} back="/admin/network/tariffs">
      <Loaded query={tariff} />
    </StaffPage>
  );
}

interface TariffEditorProps {
  /** Null for a new one. */
  tariff: Tariff | null;
  onChanged: () => void;
}

function TariffEditor({ tariff, onChanged }: TariffEditorProps) {
  const text = useText();
  const navigate = useNavigate();
  const isLocked = !useMay('manage-network');
  const [saved, setSaved] = useState<number | null>(null);
  const form = useForm({
    start: () =>
      ({ ...(tariff ? typedTariff(tariff) : emptyTariff), when: 'now' as const, startsAt: '' }) as PlannedTariff,
    rules: tariffRules(tariff === null),
    send: (typed) =>
      tariff
        ? call(changeTariff, { params: { id: String(tariff.id) }, body: changeTariff.body.parse(tariffChange(typed)) })
        : call(addTariff, { body: addTariff.body.parse(newTariffRequest(typed)) }),
    onSuccess: ({ id, ...changed }) => {
      if ('is_waiting' in changed && changed.is_waiting) void notify(text('networkTariffs:tariffWaits'));
      setSaved(id);
      if (tariff) onChanged();
    },
  });
  const { typed } = form;
  useLeaveQuestion(!isLocked && saved === null && JSON.stringify(typed) !== JSON.stringify(form.before));
  // After the render in which nothing is unsaved any more; earlier, the question about unsaved changes would appear.
  useWhen(tariff === null && saved, (id) => void navigate(`/admin/network/tariffs/${id}`, { replace: true }));
  const terms = typedTerms(TariffTerms).safeParse(termsOf(typed));
  return (
    <StaffPage
      title={tariff?.name ?? text('networkTariffs:newTariff')}
      subtitle={tariff && text('network:connectorCount', { count: tariff.connectors })}
      back="/admin/network/tariffs"
    >
      <form {...form.props} className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-3">
          <PriceCard form={form} isNew={tariff === null} isLocked={isLocked} />
          {typed.kind !== 'free' && <ExtraTerms form={form} isLocked={isLocked} />}
          {tariff && <TariffHistory tariff={tariff} mayManage={!isLocked} onChanged={onChanged} />}
        </div>
        <div className="flex flex-col gap-3">
          {terms.success && <DayPreview terms={terms.data} />}
          {!isLocked && (
            <Card className="flex flex-col gap-3">
              {tariff && <ChangeTime form={form} tariff={tariff} />}
              <Button type="submit" kind="main" busy={form.isBusy}>
                {typed.when === 'later' ? text('network:plan') : text('network:save')}
              </Button>
            </Card>
          )}
        </div>
      </form>
    </StaffPage>
  );
}

interface PriceCardProps {
  form: StaffForm<PlannedTariff>;
  isNew: boolean;
  isLocked: boolean;
}

/** The name of a new tariff, and what a kilowatt-hour costs. */
function PriceCard({ form, isNew, isLocked }: PriceCardProps) {
  const text = useText();
  const { typed, change, errorOf } = form;
  const wrongHours = errorOf('hours') ?? errorOf('price');
  return (
    <Card className="flex flex-col gap-4">
      {isNew && <Field label={text('networkTariffs:tariffName')} maxLength={60} {...form.field('name')} />}
      <fieldset disabled={isLocked} className="flex min-w-0 flex-col gap-4">
        <legend className="sr-only">{text('network:tariff')}</legend>
        <Segmented
          legend={text('network:kind')}
          value={typed.kind}
          onChange={(kind) => change({ kind })}
          segments={[
            { value: 'fixed', label: text('network:fixedPrice') },
            { value: 'hours', label: text('networkTariffs:byHours') },
            { value: 'free', label: text('networkTariffs:free') },
          ]}
        />
        {typed.kind === 'fixed' && <Field label={text('network:price')} inputMode="decimal" {...form.field('price')} />}
      </fieldset>
      {typed.kind === 'hours' && (
        <>
          <WeekEditor week={typed.week} isLocked={isLocked} onChange={(week) => change({ week })} />
          {wrongHours && (
            <p role="alert" className="text-small text-error">
              {wrongHours}
            </p>
          )}
        </>
      )}
    </Card>
  );
}

/** A discount, and a fee for a car that stays. */
function ExtraTerms({ form: { typed, change, errorOf }, isLocked }: Omit<PriceCardProps, 'isNew'>) {
  return (
    <>
      <DiscountCard
        discount={typed.discount}
        error={discountFields.map(errorOf).find((error) => error !== undefined)}
        isLocked={isLocked}
        onChange={(discount) => change({ discount })}
      />
      <IdleCard
        idle={typed.idle}
        errors={{ fee: errorOf('idleFee'), grace: errorOf('idleGrace') }}
        isLocked={isLocked}
        onChange={(idle) => change({ idle })}
      />
    </>
  );
}

/** When a change applies, and whom it touches. */
function ChangeTime({ form, tariff }: { form: StaffForm<PlannedTariff>; tariff: Tariff }) {
  const text = useText();
  const { typed, change, errorOf } = form;
  const waits = [
    tariff.is_waiting && text('networkTariffs:tariffWaits'),
    tariff.price > 0 && typed.kind === 'free' && text('networkTariffs:freeWaits'),
  ];
  return (
    <>
      <h2 className="text-card">{text('networkTariffs:whenTitle')}</h2>
      <Segmented
        legend={text('networkTariffs:whenTitle')}
        value={typed.when}
        onChange={(when) => change({ when })}
        segments={[
          { value: 'now', label: text('networkTariffs:atOnce') },
          { value: 'later', label: text('networkTariffs:later') },
        ]}
      />
      {typed.when === 'later' && (
        <MomentField
          label={text('networkTariffs:startsAt')}
          value={typed.startsAt}
          error={errorOf('startsAt')}
          onChange={(startsAt) => change({ startsAt })}
        />
      )}
      {waits.map(
        (wait) =>
          wait && (
            <p key={wait} role="status" className="rounded-control bg-occupied-tint p-3 text-note text-occupied">
              {wait}
            </p>
          ),
      )}
      <p className="rounded-control bg-charging-tint p-3 text-note text-charging">
        {tariff.running > 0 && text('networkTariffs:runningKeep', { count: tariff.running })}{' '}
        {text('networkTariffs:changeTouches', { count: tariff.connectors })}
      </p>
    </>
  );
}
