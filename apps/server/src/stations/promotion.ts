import { type DayWindow, isWithin } from './day-window.ts';
import { wallClock } from './wall-clock.ts';

/** Data, not code: where, when and what. */
export interface Promotion {
  code: string;
  kind: 'banner' | 'marker' | 'reward';
  /** Null: the whole network. */
  stationId: number | null;
  /** Null: always. */
  days: DayWindow | null;
}

export function isRunning({ days }: Pick<Promotion, 'days'>, at: Date): boolean {
  return days === null || isWithin(wallClock(at).day, days);
}

/** The banner on a station's page. One of the whole network is shown elsewhere and needs no station. */
export function bannerOf(promotions: readonly Promotion[], stationId: number, at: Date): string | null {
  const banner = promotions.find(
    (promotion) => promotion.kind === 'banner' && promotion.stationId === stationId && isRunning(promotion, at),
  );
  return banner?.code ?? null;
}
