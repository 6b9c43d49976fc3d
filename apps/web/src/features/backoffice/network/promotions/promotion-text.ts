import type { PromotionItem } from '@fpay/contract/admin/network/promotions';
import type { Language } from '@fpay/contract/person';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { formatMoney } from '../../../../ui/format/money.tsx';
import { formatInstant } from '../../../../ui/format/number-format.ts';

export const kindTexts = {
  banner: 'networkBuild:kindBanner',
  marker: 'networkBuild:kindMarker',
  reward: 'networkBuild:kindReward',
} as const satisfies Record<PromotionItem['kind'], TextKey>;

export const codeTexts: Record<string, TextKey> = {
  free_parking: 'networkBuild:codeFreeParking',
  solar: 'networkBuild:codeSolar',
  discount: 'networkBuild:codeDiscount',
  sun: 'networkBuild:codeSun',
  event: 'networkBuild:codeEvent',
  season: 'networkBuild:codeSeason',
  bonus: 'networkBuild:codeBonus',
};

/** `F1400 · повернення 40,00 ₴`: where it is and what it is. */
export function usePromotionName(): (promotion: PromotionItem) => string {
  const text = useText();
  return ({ kind, code, station_number, reward }) => {
    const known = codeTexts[code];
    const what = reward ? formatMoney(reward.amount) : known ? text(known) : code;
    return `${station_number ?? text('networkBuild:wholeNetwork')} · ${text(kindTexts[kind])}: ${what}`;
  };
}

/** A leap year has every day. */
export const yearOfDays = '2028';

export function daysText({ from, to }: { from: string; to: string }, language: Language): string {
  const form = { day: 'numeric', month: 'short' } as const;
  const shown = (day: string) => formatInstant(`${yearOfDays}-${day}T12:00:00Z`, form, language);
  return `${shown(from)} – ${shown(to)}`;
}
