import {
  addPromotion,
  type PromotionItem,
  type PromotionKind,
  type PromotionForm as PromotionRequest,
  promotionCodes,
} from '@fpay/contract/admin/network/promotions';
import { decimalOf } from '../../../../ui/form/decimal.ts';
import { readDay } from '../../parts/calendar.ts';
import { contractRules } from '../../parts/use-form.ts';
import { yearOfDays } from './promotion-text.ts';

export interface TypedPromotion {
  kind: PromotionKind;
  code: string;
  /** Empty for the whole network. */
  station: string;
  isAlways: boolean;
  /** `YYYY-MM-DD`, of which the year does not count. */
  from: string;
  to: string;
  /** kWh. */
  energy: string;
  /** Hryvnias. */
  amount: string;
  budget: string;
}

export function typedPromotion(promotion: PromotionItem | null): TypedPromotion {
  const { days = null, reward, budget_per_day: budget } = promotion ?? {};
  return {
    kind: promotion?.kind ?? 'banner',
    code: promotion?.code ?? promotionCodes.banner[0],
    station: promotion?.station_number ?? '',
    isAlways: promotion !== null && days === null,
    from: days ? `${yearOfDays}-${days.from}` : '',
    to: days ? `${yearOfDays}-${days.to}` : '',
    energy: reward ? String(reward.min_energy / 1000) : '',
    amount: reward ? String(reward.amount / 100) : '',
    budget: budget ? String(budget / 100) : '',
  };
}

const dayOfYear = (typed: string) => readDay(typed)?.slice('YYYY-'.length) ?? '';
const whole = (typed: string, by: number) => Math.round(Number(decimalOf(typed) || Number.NaN) * by);

/** What is not a number becomes NaN and is refused by the contract. */
export function promotionRequest({ kind, code, station, isAlways, from, to, ...reward }: TypedPromotion) {
  const isReward = kind === 'reward';
  return {
    kind,
    code,
    station_number: station.trim() === '' ? null : station.trim().toUpperCase(),
    days: isAlways ? null : { from: dayOfYear(from), to: dayOfYear(to) },
    reward: isReward ? { min_energy: whole(reward.energy, 1000), amount: whole(reward.amount, 100) } : null,
    budget_per_day: isReward && reward.budget.trim() !== '' ? whole(reward.budget, 100) : null,
  } as PromotionRequest;
}

export const promotionRules = contractRules(addPromotion.body, promotionRequest, {
  station: { path: 'station_number', text: 'networkPromotions:wrongStation' },
  from: { path: 'days.from', text: 'networkPromotions:wrongDay' },
  to: { path: 'days.to', text: 'networkPromotions:wrongDay' },
  energy: { path: 'reward.min_energy', text: 'networkPromotions:wrongEnergy' },
  amount: { path: 'reward.amount', text: 'networkPromotions:wrongReward' },
  budget: { path: 'budget_per_day', text: 'networkPromotions:wrongBudget' },
  code: { path: 'code', text: 'networkPromotions:promotionExists' },
});
