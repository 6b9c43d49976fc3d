import {
  addPromotion,
  changePromotion,
  endPromotion,
  type PromotionItem,
  type PromotionKind,
  type PromotionForm as PromotionRequest,
  promotionCodes,
} from '@fpay/contract/admin/network/promotions';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { ApiError } from '../../../api/errors.ts';
import { type FormErrors, schemaErrors, serverErrors } from '../../../api/form-errors.ts';
import { showError, useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { decimalOf } from '../../../ui/form/decimal.ts';
import { Field } from '../../../ui/form/field.tsx';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { confirm, notify } from '../../../ui/overlay/popups.ts';
import { readDay } from '../parts/calendar.ts';
import { ChoiceField } from '../parts/choice-field.tsx';
import { MomentField } from '../parts/moment-field.tsx';
import { codeTexts, kindTexts, yearOfDays } from './promotion-text.ts';

const fields = {
  station: { path: 'station_number', text: 'networkBuild:wrongStation' },
  from: { path: 'days.from', text: 'networkBuild:wrongDay' },
  to: { path: 'days.to', text: 'networkBuild:wrongDay' },
  energy: { path: 'reward.min_energy', text: 'networkBuild:wrongEnergy' },
  amount: { path: 'reward.amount', text: 'networkBuild:wrongReward' },
  budget: { path: 'budget_per_day', text: 'networkBuild:wrongBudget' },
  code: { path: 'code', text: 'networkBuild:promotionExists' },
} as const;

interface PromotionPopupProps {
  /** Null for a new one. */
  promotion: PromotionItem | null;
  isLocked: boolean;
  onClose: () => void;
  onDone: () => void;
}

const kinds = Object.keys(promotionCodes) as PromotionKind[];
const dayOfYear = (typed: string) => readDay(typed)?.slice('YYYY-'.length) ?? '';
const whole = (typed: string, by: number) => Math.round(Number(decimalOf(typed) || Number.NaN) * by);

/** What a promotion is, where and when. */
export function PromotionPopup({ promotion, isLocked, onClose, onDone }: PromotionPopupProps) {
  const text = useText();
  const [typed, setTyped] = useState(() => ({
    kind: promotion?.kind ?? ('banner' as PromotionKind),
    code: promotion?.code ?? promotionCodes.banner[0],
    station: promotion?.station_number ?? '',
    isAlways: promotion ? promotion.days === null : false,
    from: promotion?.days ? `${yearOfDays}-${promotion.days.from}` : '',
    to: promotion?.days ? `${yearOfDays}-${promotion.days.to}` : '',
    energy: promotion?.reward ? String(promotion.reward.min_energy / 1000) : '',
    amount: promotion?.reward ? String(promotion.reward.amount / 100) : '',
    budget: promotion?.budget_per_day ? String(promotion.budget_per_day / 100) : '',
  }));
  const [errors, setErrors] = useState<FormErrors<keyof typeof fields>>({});
  const body = {
    kind: typed.kind,
    code: typed.code,
    station_number: typed.station.trim() === '' ? null : typed.station.trim().toUpperCase(),
    days: typed.isAlways ? null : { from: dayOfYear(typed.from), to: dayOfYear(typed.to) },
    reward:
      typed.kind === 'reward' ? { min_energy: whole(typed.energy, 1000), amount: whole(typed.amount, 100) } : null,
    budget_per_day: typed.kind === 'reward' && typed.budget.trim() !== '' ? whole(typed.budget, 100) : null,
  } as PromotionRequest;
  const done = () => {
    onClose();
    onDone();
  };
  const saving = useMutation({
    mutationFn: async () => {
      if (promotion) return call(changePromotion, { params: { id: String(promotion.id) }, body });
      return call(addPromotion, { body });
    },
    onSuccess: ({ is_waiting }) => {
      done();
      if (is_waiting) void notify(text('networkBuild:promotionWaits'));
    },
    onError: (error) => {
      const found = error instanceof ApiError ? serverErrors(error.errors, fields) : {};
      if (Object.keys(found).length > 0) setErrors(found);
      else showError(error);
    },
  });
  const ending = useAction((id: number) => call(endPromotion, { params: { id: String(id) } }), { onSuccess: done });
  function save() {
    const found = schemaErrors(addPromotion.body, body, fields);
    setErrors(found);
    if (Object.keys(found).length === 0) saving.mutate();
  }
  async function end(id: number) {
    const question = { title: text('networkBuild:endPromotion'), effect: text('networkBuild:endPromotionEffect') };
    if (await confirm({ ...question, kind: 'danger' })) ending.mutate(id);
  }
  const change = (values: Partial<typeof typed>) => {
    setTyped({ ...typed, ...values });
    setErrors({});
  };
  const shown = (name: 'station' | 'from' | 'to' | 'energy' | 'amount' | 'budget') => {
    const error = errors[name];
    return { value: typed[name], error: error && text(error) };
  };
  const set = (name: 'station' | 'energy' | 'amount' | 'budget') => ({
    ...shown(name),
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const day = (name: 'from' | 'to') => ({
    ...shown(name),
    unit: 'day' as const,
    onChange: (next: string) => change({ [name]: next }),
  });
  const codes: readonly string[] = promotionCodes[typed.kind];
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={text(promotion ? 'networkBuild:promotion' : 'networkBuild:newPromotion')}
      titleClassName="text-h2"
    >
      <fieldset disabled={isLocked} className="flex min-w-0 flex-col gap-4">
        <legend className="sr-only">{text('networkBuild:promotion')}</legend>
        <Segmented
          legend={text('networkBuild:kind')}
          value={typed.kind}
          onChange={(kind) => change({ kind, code: promotionCodes[kind][0] })}
          segments={kinds.map((kind) => ({ value: kind, label: text(kindTexts[kind]) }))}
        />
        <ChoiceField
          label={text('networkBuild:whatDriversSee')}
          value={typed.code}
          onChange={(code) => change({ code })}
          options={codes.map((code) => {
            const known = codeTexts[code];
            return { value: code, label: known ? text(known) : code };
          })}
        />
        {errors.code && (
          <p role="alert" className="text-small text-error">
            {text(errors.code)}
          </p>
        )}
        <Field
          label={text('networkBuild:stationNumber')}
          hint={typed.kind === 'marker' ? text('networkBuild:emptyIsNetwork') : undefined}
          {...set('station')}
        />
        {promotion?.is_waiting && (
          <p role="status" className="rounded-control bg-occupied-tint p-3 text-note text-occupied">
            {text('networkBuild:promotionWaits')}
          </p>
        )}
        {typed.kind === 'reward' && (
          <div className="grid items-start gap-3 min-[360px]:grid-cols-2">
            <Field label={text('networkBuild:leastEnergy')} inputMode="decimal" {...set('energy')} />
            <Field label={text('networkBuild:rewardAmount')} inputMode="decimal" {...set('amount')} />
            <div className="col-span-full">
              <Field
                label={text('networkBuild:budgetPerDay')}
                hint={text(typed.budget.trim() === '' ? 'networkBuild:noBudget' : 'networkBuild:budgetHint')}
                inputMode="decimal"
                {...set('budget')}
              />
            </div>
          </div>
        )}
        <Switch
          label={text('networkBuild:alwaysOn')}
          checked={typed.isAlways}
          disabled={isLocked}
          onChange={(isAlways) => change({ isAlways })}
        />
        {!typed.isAlways && (
          <div className="grid items-start gap-3 sm:grid-cols-2">
            <MomentField label={text('networkBuild:firstDay')} {...day('from')} />
            <MomentField label={text('networkBuild:lastDay')} {...day('to')} />
            <p className="col-span-full text-small text-ink-2">{text('networkBuild:eachYear')}</p>
          </div>
        )}
      </fieldset>
      {!isLocked && (
        <div className="flex gap-2">
          {promotion && (
            <Button size="m" busy={ending.isPending} onPress={() => void end(promotion.id)}>
              {text('networkBuild:end')}
            </Button>
          )}
          <Button size="m" kind="main" className="flex-1" busy={saving.isPending} onPress={save}>
            {text('networkBuild:save')}
          </Button>
        </div>
      )}
    </PopupFrame>
  );
}
