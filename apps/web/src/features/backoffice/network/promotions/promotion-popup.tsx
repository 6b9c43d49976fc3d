import {
  addPromotion,
  changePromotion,
  endPromotion,
  type PromotionItem,
  type PromotionKind,
  promotionCodes,
} from '@fpay/contract/admin/network/promotions';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Segmented } from '../../../../ui/form/segmented.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { confirm, notify } from '../../../../ui/overlay/popups.ts';
import { ChoiceField } from '../../parts/choice-field.tsx';
import { MomentField } from '../../parts/moment-field.tsx';
import { type StaffForm, useForm } from '../../parts/use-form.ts';
import { promotionRequest, promotionRules, type TypedPromotion, typedPromotion } from './promotion-form.ts';
import { codeTexts, kindTexts } from './promotion-text.ts';

interface PromotionPopupProps {
  /** Null for a new one. */
  promotion: PromotionItem | null;
  isLocked: boolean;
  onClose: () => void;
  onDone: () => void;
}

const kinds = Object.keys(promotionCodes) as PromotionKind[];

/** What a promotion is, where and when. */
export function PromotionPopup({ promotion, isLocked, onClose, onDone }: PromotionPopupProps) {
  const text = useText();
  const done = () => {
    onClose();
    onDone();
  };
  const form = useForm({
    start: () => typedPromotion(promotion),
    rules: promotionRules,
    send: async (typed) => {
      const body = promotionRequest(typed);
      if (promotion) return call(changePromotion, { params: { id: String(promotion.id) }, body });
      return call(addPromotion, { body });
    },
    onSuccess: ({ is_waiting }) => {
      done();
      if (is_waiting) void notify(text('networkPromotions:promotionWaits'));
    },
  });
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={text(promotion ? 'networkPromotions:promotion' : 'networkPromotions:newPromotion')}
      titleClassName="text-h2"
    >
      <form {...form.props} className="flex flex-col gap-4">
        <fieldset disabled={isLocked} className="flex min-w-0 flex-col gap-4">
          <legend className="sr-only">{text('networkPromotions:promotion')}</legend>
          <Subject form={form} />
          {promotion?.is_waiting && (
            <p role="status" className="rounded-control bg-occupied-tint p-3 text-note text-occupied">
              {text('networkPromotions:promotionWaits')}
            </p>
          )}
          {form.typed.kind === 'reward' && <Reward form={form} />}
          <DaysOfYear form={form} isLocked={isLocked} />
        </fieldset>
        {!isLocked && (
          <div className="flex gap-2">
            {promotion && <EndButton promotion={promotion} onDone={done} />}
            <Button type="submit" size="m" kind="main" className="flex-1" busy={form.isBusy}>
              {text('network:save')}
            </Button>
          </div>
        )}
      </form>
    </PopupFrame>
  );
}

function EndButton({ promotion, onDone }: { promotion: PromotionItem; onDone: () => void }) {
  const text = useText();
  const params = { id: String(promotion.id) };
  const ending = useAction(() => call(endPromotion, { params }), { onSuccess: onDone });
  async function end() {
    const question = {
      title: text('networkPromotions:endPromotion'),
      effect: text('networkPromotions:endPromotionEffect'),
    };
    if (await confirm({ ...question, kind: 'danger' })) ending.mutate();
  }
  return (
    <Button size="m" busy={ending.isPending} onPress={() => void end()}>
      {text('network:end')}
    </Button>
  );
}

interface PartProps {
  form: StaffForm<TypedPromotion>;
}

/** What drivers see, and where. */
function Subject({ form: { typed, change, errorOf, field } }: PartProps) {
  const text = useText();
  const codes: readonly string[] = promotionCodes[typed.kind];
  const wrongCode = errorOf('code');
  return (
    <>
      <Segmented
        legend={text('network:kind')}
        value={typed.kind}
        onChange={(kind) => change({ kind, code: promotionCodes[kind][0] })}
        segments={kinds.map((kind) => ({ value: kind, label: text(kindTexts[kind]) }))}
      />
      <ChoiceField
        label={text('networkPromotions:whatDriversSee')}
        value={typed.code}
        onChange={(code) => change({ code })}
        options={codes.map((code) => {
          const known = codeTexts[code];
          return { value: code, label: known ? text(known) : code };
        })}
      />
      {wrongCode && (
        <p role="alert" className="text-small text-error">
          {wrongCode}
        </p>
      )}
      <Field
        label={text('networkPromotions:stationNumber')}
        hint={typed.kind === 'marker' ? text('networkPromotions:emptyIsNetwork') : undefined}
        {...field('station')}
      />
    </>
  );
}

function Reward({ form: { typed, field } }: PartProps) {
  const text = useText();
  return (
    <div className="grid items-start gap-3 min-[360px]:grid-cols-2">
      <Field label={text('networkPromotions:leastEnergy')} inputMode="decimal" {...field('energy')} />
      <Field label={text('networkPromotions:rewardAmount')} inputMode="decimal" {...field('amount')} />
      <div className="col-span-full">
        <Field
          label={text('networkPromotions:budgetPerDay')}
          hint={text(typed.budget.trim() === '' ? 'networkPromotions:noBudget' : 'networkPromotions:budgetHint')}
          inputMode="decimal"
          {...field('budget')}
        />
      </div>
    </div>
  );
}

function DaysOfYear({ form: { typed, change, errorOf }, isLocked }: PartProps & { isLocked: boolean }) {
  const text = useText();
  const day = (name: 'from' | 'to') => ({
    value: typed[name],
    error: errorOf(name),
    unit: 'day' as const,
    onChange: (next: string) => change({ [name]: next }),
  });
  return (
    <>
      <Switch
        label={text('networkPromotions:alwaysOn')}
        checked={typed.isAlways}
        disabled={isLocked}
        onChange={(isAlways) => change({ isAlways })}
      />
      {!typed.isAlways && (
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <MomentField label={text('network:firstDay')} {...day('from')} />
          <MomentField label={text('network:lastDay')} {...day('to')} />
          <p className="col-span-full text-small text-ink-2">{text('networkPromotions:eachYear')}</p>
        </div>
      )}
    </>
  );
}
