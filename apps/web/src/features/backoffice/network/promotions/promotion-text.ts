import type { PromotionItem } from '@fpay/contract/admin/network/promotions';
import type { Language } from '@fpay/contract/person';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { formatMoney } from '../../../../ui/format/money.tsx';
import { formatInstant } from '../../../../ui/format/number-format.ts';

export const kindTexts = {
  banner: 'networkPromotions:kindBanner',
  marker: 'networkPromotions:kindMarker',
  reward: 'networkPromotions:kindReward',
} as const satisfies Record<PromotionItem['kind'], TextKey>;

export const codeTexts: Record<string, TextKey> = {
  free_parking: 'networkPromotions:codeFreeParking',
  solar: 'networkPromotions:codeSolar',
  discount: 'networkPromotions:codeDiscount',
  sun: 'networkPromotions:codeSun',
  event: 'networkPromotions:codeEvent',
  season: 'networkPromotions:codeSeason',
  bonus: 'networkPromotions:codeBonus',
};

/** `F1400 · повернення 40,00 ₴`: where it is and what it is. */
export function usePromotionName(): (promotion: PromotionItem) => string {
  const text = useText();
  return ({ kind, code, station_number, reward }) => {
    const known = codeTexts[code];
    const what = reward ? formatMoney(reward.amount) : known ? text(known) : code;
    return `${station_number ?? text('networkPromotions:wholeNetwork')} · ${text(kindTexts[kind])}: ${what}`;
  };
}

/** A leap year has every day. */
export const yearOfDays = '2028';

export function daysText({ from, to }: { from: string; to: string }, language: Language): string {
  const form = { day: 'numeric', month: 'short' } as const;
  const shown = (day: string) => formatInstant(`${yearOfDays}-${day}T12:00:00Z`, form, language);
  return `${shown(from)} – ${shown(to)}`;
}
