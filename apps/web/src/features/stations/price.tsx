import type { Kopecks } from '@fpay/contract/money';
import { useEffect, useState } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { formatNumber } from '../../ui/format/number-format.ts';
import { useReducedMotion } from '../../ui/hooks/use-reduced-motion.ts';

const flipMs = 2000;
const staggerMs = 150;

interface PriceProps {
  price: Kopecks;
  oldPrice: Kopecks | null;
  /** Index in the list; each card flips a little after the one above it. */
  index: number;
}

/** The price of a kWh. With a discount, the usual price and the present one alternate. */
export function PriceTag({ price, oldPrice, index }: PriceProps) {
  const text = useText();
  const language = useLanguage();
  const isStill = useReducedMotion();
  const showsOld = useFlip(oldPrice !== null && !isStill, index);
  const format = (kopecks: Kopecks) => formatNumber(kopecks / 100, { least: 2, most: 2 }, language);

  if (price === 0)
    return <span className="block max-w-32 text-label font-extrabold text-free">{text('station:freeOfCharge')}</span>;
  const present = <span className="text-[1.25rem] leading-6 font-extrabold">{format(price)}</span>;
  return (
    <span className="tabular block text-right whitespace-nowrap">
      {oldPrice === null ? (
        present
      ) : isStill ? (
        <>
          <s className="mr-2 text-note text-ink-3">{format(oldPrice)}</s>
          {present}
        </>
      ) : (
        <>
          <span aria-hidden="true" key={String(showsOld)} className="block animate-fade-in" data-testid="flip">
            {showsOld ? <s className="text-[1.25rem] leading-6 font-bold text-ink-3">{format(oldPrice)}</s> : present}
          </span>
          <span className="sr-only">
            {format(price)}, {text('station:usualPrice')} {format(oldPrice)}
          </span>
        </>
      )}
      <span className="block text-note text-ink-2">{text('station:perKwh')}</span>
    </span>
  );
}

function useFlip(isOn: boolean, index: number): boolean {
  const [isFlipped, setFlipped] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    let interval: ReturnType<typeof setInterval>;
    const start = setTimeout(() => {
      interval = setInterval(() => setFlipped((flipped) => !flipped), flipMs);
    }, index * staggerMs);
    return () => {
      clearTimeout(start);
      clearInterval(interval);
    };
  }, [isOn, index]);
  return isOn && isFlipped;
}
