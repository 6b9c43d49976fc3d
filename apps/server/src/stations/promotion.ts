import { type Kopecks, kopecks, type WattHours, wattHours } from '@fpay/contract/money';
import type { StationReward } from '@fpay/contract/stations';
import { wallClock } from '../platform/kyiv-time.ts';
import { type DayWindow, isWithinWindow } from './day-window.ts';

/** Promotions are data, not code: where, when and what. */
export interface PromotionRule {
  code: string;
  kind: 'banner' | 'marker' | 'reward';
  /** Null for the whole network. */
  stationId: number | null;
  /** Null when it always applies. */
  days: DayWindow | null;
  /** Of a reward: its terms as stored, the budget of a day and what today has paid. */
  reward?: { terms: unknown; budgetPerDay: number | null; paidToday: number };
}

/** From which energy on which sum returns. Null for terms that cannot be read. */
export function rewardTermsOf(terms: unknown): { min_energy: WattHours; amount: Kopecks } | null {
  const { min_energy_wh: energy, amount } = (terms ?? {}) as Record<string, unknown>;
  const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  return isAmount(energy) && isAmount(amount) ? { min_energy: wattHours(energy), amount: kopecks(amount) } : null;
}

export function isRunning({ days }: Pick<PromotionRule, 'days'>, at: Date): boolean {
  return days === null || isWithinWindow(wallClock(at).day, days);
}

/** The banner on a station's page. A banner of the whole network is shown elsewhere. */
export function bannerOf(promotions: readonly PromotionRule[], stationId: number, at: Date): string | null {
  const banner = promotions.find(
    (promotion) => promotion.kind === 'banner' && promotion.stationId === stationId && isRunning(promotion, at),
  );
  return banner?.code ?? null;
}

/** The reward that the page of a station promises with its banner; without a banner of the same code, the first one. */
export function rewardOf(promotions: readonly PromotionRule[], stationId: number, at: Date): StationReward | null {
  const running = promotions.filter(
    (promotion) => promotion.kind === 'reward' && promotion.stationId === stationId && isRunning(promotion, at),
  );
  const banner = bannerOf(promotions, stationId, at);
  const { reward } = running.find(({ code }) => code === banner) ?? running[0] ?? {};
  const terms = reward && rewardTermsOf(reward.terms);
  if (!terms) return null;
  const { budgetPerDay: budget, paidToday } = reward;
  return { ...terms, has_budget: budget !== null, is_used_up: budget !== null && paidToday + terms.amount > budget };
}
