import { describe, expect, it } from 'vitest';
import { isWithinWindow } from './day-window.ts';
import { bannerOf, isRunning, type PromotionRule } from './promotion.ts';

const noon = (day: string) => new Date(`${day}T10:00:00Z`);

describe('promotion', () => {
  it('runs from its first day to its last, in Kyiv, each year again', () => {
    const days = { from: '10-27', to: '11-02' };
    expect(isRunning({ days }, new Date('2026-10-26T21:59:59Z'))).toBe(false);
    expect(isRunning({ days }, new Date('2026-10-26T22:00:00Z'))).toBe(true);
    expect(isRunning({ days }, new Date('2030-11-02T21:59:59Z'))).toBe(true);
    expect(isRunning({ days }, new Date('2030-11-02T22:00:00Z'))).toBe(false);
    expect(isRunning({ days: null }, noon('2026-05-05'))).toBe(true);
  });

  it('may span New Year', () => {
    const holidays = { from: '12-24', to: '01-07' };
    const seen = ['2026-12-23', '2026-12-24', '2026-12-31', '2027-01-01', '2027-01-07', '2027-01-08', '2027-06-01'];
    expect(seen.map((day) => isWithinWindow(day, holidays))).toEqual([false, true, true, true, true, false, false]);
  });

  it('with a year happens once, and an impossible window never', () => {
    expect(isWithinWindow('2026-12-31', { from: '2026-12-30', to: '2027-01-02' })).toBe(true);
    expect(isWithinWindow('2027-12-31', { from: '2026-12-30', to: '2027-01-02' })).toBe(false);
    expect(isWithinWindow('2026-12-31', { from: '2027-01-02', to: '2026-12-30' })).toBe(false);
  });

  it("shows a station its own banner only: not another's, not a marker's, not the network's [STN-19]", () => {
    const promotions: PromotionRule[] = [
      { code: 'season', kind: 'banner', stationId: null, days: null },
      { code: 'sun', kind: 'marker', stationId: 7, days: null },
      { code: 'other', kind: 'banner', stationId: 8, days: null },
      { code: 'autumn', kind: 'banner', stationId: 7, days: { from: '09-01', to: '11-30' } },
    ];
    expect(bannerOf(promotions, 7, noon('2026-10-01'))).toBe('autumn');
    expect(bannerOf(promotions, 7, noon('2026-12-01'))).toBeNull();
    expect(bannerOf(promotions, 9, noon('2026-10-01'))).toBeNull();
  });
});
