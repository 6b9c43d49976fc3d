import {
  addTariff,
  changeTariff,
  type networkTariff,
  TariffTerms,
  typedTerms,
} from '@fpay/contract/admin/network/tariffs';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { ApiError } from '../../../api/errors.ts';
import { showError } from '../../../data/action.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { useNavigate, useParams } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { instantOfKyiv } from '../parts/kyiv-time.ts';
import { MomentField } from '../parts/moment-field.tsx';
import { useMay } from '../parts/use-may.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { DayPreview } from './day-preview.tsx';
import { DiscountCard } from './discount-card.tsx';
import { emptyTariff, type TypedTariff, termsOf, typedTariff } from './form.ts';
import { IdleCard } from './idle-card.tsx';
import { tariffQueries } from './queries.ts';
import { TariffHistory } from './tariff-history.tsx';
import { WeekEditor } from './week-editor.tsx';

type Tariff = ReplyOf<typeof networkTariff>;
type TariffErrors = Partial<Record<'name' | 'price' | 'start' | 'discount' | 'idleFee' | 'idleGrace', string>>;

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
    <StaffPage title={text('networkBuild:tariff')} back="/admin/network/tariffs">
      <Loaded query={tariff} />
    </StaffPage>
  );
}

function TariffEditor({ tariff, onChanged }: { tariff: Tariff | null; onChanged: () => void }) {
  const text = useText();
  const navigate = useNavigate();
  const isLocked = !useMay('manage-network');
  const [typed, setTyped] = useState<TypedTariff>(() => (tariff ? typedTariff(tariff) : emptyTariff));
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [start, setStart] = useState('');
  const [errors, setErrors] = useState<TariffErrors>({});
  const change = (values: Partial<TypedTariff>) => {
    setTyped((present) => ({ ...present, ...values }));
    setErrors({});
  };
  const wanted = termsOf(typed);
  const checked = typedTerms(TariffTerms).safeParse(wanted);
  const makesFree = tariff !== null && tariff.price > 0 && typed.kind === 'free';
  const startsAt = when === 'later' ? instantOfKyiv(start) : null;

  const saving = useMutation({
    mutationFn: (terms: TariffTerms) =>
      tariff
        ? call(changeTariff, { params: { id: String(tariff.id) }, body: { ...terms, starts_at: startsAt } })
        : call(addTariff, { body: { ...terms, name: typed.name } }),
    onSuccess: ({ id, ...changed }) => {
      if ('is_waiting' in changed && changed.is_waiting) void notify(text('networkBuild:tariffWaits'));
      if (tariff) onChanged();
      else void navigate(`/admin/network/tariffs/${id}`, { replace: true });
    },
    onError: (error) => {
      const found = error instanceof ApiError ? error.errors : {};
      if (found.name) setErrors({ name: text('networkBuild:nameTaken') });
      else if (found.starts_at) setErrors({ start: text('networkBuild:startInPast') });
      else showError(error);
    },
  });
  function save() {
    const issues = checked.error?.issues ?? [];
    const paths = issues.map(({ path }) => path[0]);
    const isWrong = (...names: string[]) => issues.some(({ path }) => path.join('.') === names.join('.'));
    const found = {
      ...(!tariff && typed.name.trim() === '' && { name: text('networkBuild:nameNeeded') }),
      ...((paths.includes('price') || paths.includes('hours')) && { price: text('networkBuild:wrongPrice') }),
      ...(isWrong('idle', 'fee') && { idleFee: text('networkBuild:wrongIdleFee') }),
      ...(isWrong('idle', 'grace_minutes') && { idleGrace: text('networkBuild:wrongIdleGrace') }),
      ...(paths.includes('discount') && { discount: text('networkBuild:wrongDiscount') }),
      ...(when === 'later' && startsAt === null && { start: text('networkBuild:startNeeded') }),
    };
    setErrors(found);
    if (Object.keys(found).length === 0 && checked.success) saving.mutate(checked.data);
  }

  return (
    <StaffPage
      title={tariff?.name ?? text('networkBuild:newTariff')}
      subtitle={tariff && text('networkBuild:connectorCount', { count: tariff.connectors })}
      back="/admin/network/tariffs"
    >
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-3">
          <Card className="flex flex-col gap-4">
            {!tariff && (
              <Field
                label={text('networkBuild:tariffName')}
                maxLength={60}
                value={typed.name}
                error={errors.name}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
            <fieldset disabled={isLocked} className="flex min-w-0 flex-col gap-4">
              <legend className="sr-only">{text('networkBuild:tariff')}</legend>
              <Segmented
                legend={text('networkBuild:kind')}
                value={typed.kind}
                onChange={(kind) => change({ kind })}
                segments={[
                  { value: 'fixed', label: text('networkBuild:fixedPrice') },
                  { value: 'hours', label: text('networkBuild:byHours') },
                  { value: 'free', label: text('networkBuild:free') },
                ]}
              />
              {typed.kind === 'fixed' && (
                <Field
                  label={text('networkBuild:price')}
                  inputMode="decimal"
                  value={typed.price}
                  error={errors.price}
                  onChange={({ target }) => change({ price: target.value })}
                />
              )}
            </fieldset>
            {typed.kind === 'hours' && (
              <WeekEditor week={typed.week} isLocked={isLocked} onChange={(week) => change({ week })} />
            )}
          </Card>
          {typed.kind !== 'free' && (
            <DiscountCard
              discount={typed.discount}
              error={errors.discount}
              isLocked={isLocked}
              onChange={(discount) => change({ discount })}
            />
          )}
          {typed.kind !== 'free' && (
            <IdleCard
              idle={typed.idle}
              errors={{ fee: errors.idleFee, grace: errors.idleGrace }}
              isLocked={isLocked}
              onChange={(idle) => change({ idle })}
            />
          )}
          {tariff && <TariffHistory tariff={tariff} mayManage={!isLocked} onChanged={onChanged} />}
        </div>
        <div className="flex flex-col gap-3">
          {checked.success && <DayPreview terms={checked.data} />}
          {!isLocked && (
            <Card className="flex flex-col gap-3">
              {tariff && (
                <>
                  <h2 className="text-card">{text('networkBuild:whenTitle')}</h2>
                  <Segmented
                    legend={text('networkBuild:whenTitle')}
                    value={when}
                    onChange={setWhen}
                    segments={[
                      { value: 'now', label: text('networkBuild:atOnce') },
                      { value: 'later', label: text('networkBuild:later') },
                    ]}
                  />
                  {when === 'later' && (
                    <MomentField
                      label={text('networkBuild:startsAt')}
                      value={start}
                      error={errors.start}
                      onChange={(typed) => {
                        setStart(typed);
                        setErrors({});
                      }}
                    />
                  )}
                  {tariff.is_waiting && (
                    <p role="status" className="rounded-control bg-occupied-tint p-3 text-note text-occupied">
                      {text('networkBuild:tariffWaits')}
                    </p>
                  )}
                  {makesFree && (
                    <p role="status" className="rounded-control bg-occupied-tint p-3 text-note text-occupied">
                      {text('networkBuild:freeWaits')}
                    </p>
                  )}
                  <p className="rounded-control bg-charging-tint p-3 text-note text-charging">
                    {tariff.running > 0 && text('networkBuild:runningKeep', { count: tariff.running })}{' '}
                    {text('networkBuild:changeTouches', { count: tariff.connectors })}
                  </p>
                </>
              )}
              <Button kind="main" busy={saving.isPending} onPress={save}>
                {when === 'later' ? text('networkBuild:plan') : text('networkBuild:save')}
              </Button>
            </Card>
          )}
        </div>
      </div>
    </StaffPage>
  );
}
