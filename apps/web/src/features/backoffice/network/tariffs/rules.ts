import { addTariff, changeTariff } from '@fpay/contract/admin/network/tariffs';
import { serverErrors } from '../../../../api/form-errors.ts';
import { instantOfKyiv } from '../../parts/kyiv-time.ts';
import { contractRules, type FormRules } from '../../parts/use-form.ts';
import { type TypedTariff, termsOf } from './form.ts';

/** A tariff as it is typed, and when a change of it applies. */
export interface PlannedTariff extends TypedTariff {
  when: 'now' | 'later';
  /** Kyiv time. */
  startsAt: string;
}

const startOf = ({ when, startsAt }: PlannedTariff) => (when === 'later' ? instantOfKyiv(startsAt) : null);
export const tariffChange = (typed: PlannedTariff) => ({ ...termsOf(typed), starts_at: startOf(typed) });
export const newTariffRequest = (typed: PlannedTariff) => ({ ...termsOf(typed), name: typed.name });

/** The discount shows one error, whatever part of it is wrong. */
export const discountFields = ['discount', 'percent', 'from', 'to', 'text'] as const;

const wrongDiscount = 'networkTariffs:wrongDiscount';
const fields = {
  name: { path: 'name', text: 'network:nameNeeded' },
  price: { path: 'price', text: 'network:wrongPrice' },
  hours: { path: 'hours', text: 'network:wrongPrice' },
  idleFee: { path: 'idle.fee', text: 'networkTariffs:wrongIdleFee' },
  idleGrace: { path: 'idle.grace_minutes', text: 'networkTariffs:wrongIdleGrace' },
  discount: { path: 'discount', text: wrongDiscount },
  percent: { path: 'discount.percent', text: wrongDiscount },
  from: { path: 'discount.from', text: wrongDiscount },
  to: { path: 'discount.to', text: wrongDiscount },
  text: { path: 'discount.text', text: wrongDiscount },
  startsAt: { path: 'starts_at', text: 'networkTariffs:startNeeded' },
} as const;

/** What only the server knows: other tariffs, and its own time. */
const refusedFields = {
  ...fields,
  name: { path: 'name', text: 'networkTariffs:nameTaken' },
  startsAt: { path: 'starts_at', text: 'networkTariffs:startInPast' },
} as const;

export function tariffRules(isNew: boolean): FormRules<PlannedTariff> {
  const { check } = isNew
    ? contractRules(addTariff.body, newTariffRequest, fields)
    : contractRules(changeTariff.body, tariffChange, fields);
  return {
    // A change without a start applies at once, so a later one needs it here.
    check: (typed) => ({
      ...check(typed),
      ...(typed.when === 'later' && startOf(typed) === null && { startsAt: fields.startsAt.text }),
    }),
    refused: (errors) => serverErrors(errors, refusedFields),
  };
}
