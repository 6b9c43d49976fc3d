import type { PromotionItem } from '@fpay/contract/admin/network/promotions';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect, useRef, useState } from 'react';
import { useLanguage, useText } from '../../../../i18n/use-text.ts';
import { IconButton } from '../../../../ui/form/icon-button.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { kyivLocal } from '../../parts/kyiv-time.ts';
import { placeInYear, yearParts } from './calendar.ts';
import { daysText, usePromotionName } from './promotion-text.ts';
import { promotionTone } from './promotion-tone.ts';

interface YearCalendarProps {
  promotions: readonly PromotionItem[];
  onOpen: (promotion: PromotionItem) => void;
}

const months = Array.from({ length: 12 }, (_, index) => index);
const percent = (part: number) => `${part * 100}%`;

/** A line for each promotion over the twelve months, so that gaps and overlaps of a year are seen at once. */
export function YearCalendar({ promotions, onOpen }: YearCalendarProps) {
  const text = useText();
  const today = kyivLocal(new Date()).slice(0, 10);
  const [year, setYear] = useState(Number(today.slice(0, 4)));
  const scroller = useRef<HTMLDivElement>(null);
  // A phone shows half of the year; the half with today is the one that matters.
  useEffect(() => {
    const box = scroller.current;
    if (box && today.startsWith(String(year)))
      box.scrollLeft = placeInYear(today) * box.scrollWidth - box.clientWidth / 2;
  }, [today, year]);
  return (
    <Card className="flex flex-col gap-3">
      <YearChoice year={year} onYear={setYear} />
      {promotions.length === 0 && <p className="text-note text-ink-2">{text('networkPromotions:noPromotions')}</p>}
      <div ref={scroller} className="overflow-x-auto">
        <div className="relative min-w-[44rem]">
          <MonthNames year={year} />
          <ul>
            {promotions.map((promotion) => (
              <PromotionLine key={promotion.id} year={year} promotion={promotion} onOpen={() => onOpen(promotion)} />
            ))}
          </ul>
          {today.startsWith(String(year)) && (
            <span
              aria-hidden="true"
              style={{ left: percent(placeInYear(today)) }}
              className="pointer-events-none absolute inset-y-0 w-0.5 bg-ink"
            />
          )}
        </div>
      </div>
    </Card>
  );
}

function YearChoice({ year, onYear }: { year: number; onYear: (year: number) => void }) {
  const text = useText();
  return (
    <div className="flex items-center gap-2">
      <IconButton
        label={text('networkPromotions:yearBefore')}
        look="outlined"
        icon={<ChevronLeft aria-hidden="true" size={20} />}
        onPress={() => onYear(year - 1)}
      />
      <IconButton
        label={text('networkPromotions:yearAfter')}
        look="outlined"
        icon={<ChevronRight aria-hidden="true" size={20} />}
        onPress={() => onYear(year + 1)}
      />
      <h2 className="tabular text-card">{year}</h2>
    </div>
  );
}

function MonthNames({ year }: { year: number }) {
  const language = useLanguage();
  const monthName = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });
  return (
    <p aria-hidden="true" className="grid grid-cols-12 border-b border-line pb-1 text-small text-ink-2">
      {months.map((month) => (
        <span key={month} className="border-l border-line px-2 first:border-0">
          {monthName.format(new Date(Date.UTC(year, month, 1)))}
        </span>
      ))}
    </p>
  );
}

interface PromotionLineProps {
  year: number;
  promotion: PromotionItem;
  onOpen: () => void;
}

/** One promotion through the year; it can have several parts. */
function PromotionLine({ year, promotion, onOpen }: PromotionLineProps) {
  const text = useText();
  const language = useLanguage();
  const nameOf = usePromotionName();
  return (
    <li className="relative h-12 border-b border-line last:border-0">
      {yearParts(year, promotion).map(({ from, to }) => (
        <button
          key={from}
          type="button"
          title={promotion.days ? daysText(promotion.days, language) : text('networkPromotions:alwaysOn')}
          style={{ left: percent(from), width: percent(to - from) }}
          className={classNames(
            'absolute top-2 h-8 min-w-8 overflow-clip rounded-badge px-2 text-left text-small font-bold',
            promotionTone(promotion.code),
          )}
          onClick={onOpen}
        >
          {/* Stays visible while the year is scrolled. */}
          <span className="sticky left-2 inline-block max-w-full truncate align-middle">{nameOf(promotion)}</span>
        </button>
      ))}
    </li>
  );
}
