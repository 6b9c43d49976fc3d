import type { StationReward } from '@fpay/contract/stations';
import Gift from 'lucide-react/icons/gift';
import Sun from 'lucide-react/icons/sun';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { formatMoney } from '../../../ui/format/money.tsx';
import { formatNumber } from '../../../ui/format/number-format.ts';

interface PromoBannerProps {
  /** An unknown code shows nothing. */
  code: string | null;
  /** What the station's promotion pays today. */
  reward: StationReward | null;
}

/** Codes come with the station. */
export function PromoBanner({ code, reward }: PromoBannerProps) {
  if (code === 'free_parking') return <FreeParking reward={reward} />;
  if (code === 'solar') return <Solar />;
  return null;
}

/** It promises the return that is really paid: none without a running promotion, and none when today's budget is used up. */
function FreeParking({ reward }: Pick<PromoBannerProps, 'reward'>) {
  const text = useText();
  const language = useLanguage();
  const isPaid = reward !== null && !reward.is_used_up;
  const sum = reward ? formatMoney(reward.amount, { rounded: reward.amount % 100 === 0 }, language) : '';
  const energy = reward ? formatNumber(reward.min_energy / 1000, { least: 0, most: 1 }, language) : '';
  return (
    <aside className="flex items-center gap-3.5 rounded-card bg-promo-tint p-4">
      <span
        aria-hidden="true"
        className="grid size-10 shrink-0 place-items-center rounded-control bg-promo text-surface"
      >
        <Gift size={22} />
      </span>
      <span>
        <strong className="block text-body font-extrabold">
          {isPaid ? text('station:freeParking', { sum }) : text('station:onlyFreeParking')}
        </strong>
        {isPaid && <span className="block text-note text-ink-2">{text('station:freeParkingText', { energy })}</span>}
        {isPaid && reward.has_budget && (
          <span className="block text-note text-ink-2">{text('station:rewardHasBudget')}</span>
        )}
        {reward?.is_used_up && (
          <span className="block text-note text-ink-2">{text('station:rewardUsedUp', { sum })}</span>
        )}
      </span>
    </aside>
  );
}

function Solar() {
  const text = useText();
  return (
    <aside className="flex items-center gap-3.5 rounded-card bg-occupied-tint p-4">
      <span
        aria-hidden="true"
        className="grid size-10 shrink-0 place-items-center rounded-control bg-occupied-fill text-[#2a1a00]"
      >
        <Sun size={22} />
      </span>
      <span>
        <strong className="block text-body font-extrabold">{text('station:solar')}</strong>
        <span className="block text-note text-ink-2">{text('station:solarText')}</span>
      </span>
    </aside>
  );
}
