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
