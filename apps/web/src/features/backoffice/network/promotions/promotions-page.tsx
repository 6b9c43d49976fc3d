import { networkPromotions, type PromotionItem } from '@fpay/contract/admin/network/promotions';
import { queryOptions, useQuery } from '@tanstack/react-query';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { Loaded } from '../../../../data/loaded.tsx';
import { useLanguage, useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { IconButton } from '../../../../ui/form/icon-button.tsx';
import { Segmented } from '../../../../ui/form/segmented.tsx';
import { formatMoney } from '../../../../ui/format/money.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { useWide } from '../../../../ui/hooks/use-wide.ts';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { EmptyList } from '../../../../ui/layout/empty-list.tsx';
import { kyivLocal } from '../../parts/kyiv-time.ts';
import { useMay } from '../../parts/use-may.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { type CalendarWeek, calendarWeeks, monthAfter } from './calendar.ts';
import { PromotionPopup } from './promotion-popup.tsx';
import { daysText, usePromotionName } from './promotion-text.ts';
import { promotionTone } from './promotion-tone.ts';
import { YearCalendar } from './year-calendar.tsx';

const allPromotions = () =>
  queryOptions({
    queryKey: ['backoffice', 'network', 'promotions'],
    queryFn: ({ signal }) => call(networkPromotions, { signal }),
    staleTime: 0,
  });

/** Promotions in a calendar, or as a list. A phone has the list first. */
export function Page() {
  const text = useText();
  const isWide = useWide();
  const mayManage = useMay('manage-network');
  const list = useQuery(allPromotions());
  const [view, setView] = useState<'month' | 'year' | 'list'>(isWide ? 'month' : 'list');
  const [open, setOpen] = useState<PromotionItem | 'new' | null>(null);
  return (
    <StaffPage title={text('networkPromotions:promotions')} back="/admin">
      <div className="flex flex-wrap items-end justify-between gap-2">
        <div className="w-80 max-w-full">
          <Segmented
            legend={text('networkPromotions:view')}
            value={view}
            onChange={setView}
            segments={[
              { value: 'month', label: text('networkPromotions:month') },
              { value: 'year', label: text('networkPromotions:year') },
              { value: 'list', label: text('networkPromotions:list') },
            ]}
          />
        </div>
        {mayManage && (
          <Button kind="main" icon={<Plus aria-hidden="true" size={20} />} onPress={() => setOpen('new')}>
            {text('networkPromotions:newPromotion')}
          </Button>
        )}
      </div>
      <Loaded query={list}>
        {(data) =>
          view === 'month' ? (
            <Calendar promotions={data} onOpen={setOpen} />
          ) : view === 'year' ? (
            <YearCalendar promotions={data} onOpen={setOpen} />
          ) : (
            <PromotionList promotions={data} onOpen={setOpen} />
          )
        }
      </Loaded>
      {open && (
        <PromotionPopup
          promotion={open === 'new' ? null : open}
          isLocked={!mayManage}
          onClose={() => setOpen(null)}
          onDone={() => void list.refetch()}
        />
      )}
    </StaffPage>
  );
}

interface ViewProps {
  promotions: readonly PromotionItem[];
  onOpen: (promotion: PromotionItem) => void;
}

function Calendar({ promotions, onOpen }: ViewProps) {
  const text = useText();
  const language = useLanguage();
  const today = kyivLocal(new Date()).slice(0, 10);
  const [month, setMonth] = useState(today.slice(0, 7));
  const title = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const dayName = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  const weeks = calendarWeeks(month, promotions);
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-2">
        <IconButton
          label={text('networkPromotions:monthBefore')}
          look="outlined"
          icon={<ChevronLeft aria-hidden="true" size={20} />}
          onPress={() => setMonth(monthAfter(month, -1))}
        />
        <IconButton
          label={text('networkPromotions:monthAfter')}
          look="outlined"
          icon={<ChevronRight aria-hidden="true" size={20} />}
          onPress={() => setMonth(monthAfter(month, 1))}
        />
        <h2 className="text-card first-letter:uppercase">{title.format(new Date(`${month}-01T00:00:00Z`))}</h2>
      </div>
      <div className="overflow-x-auto">
        <div className="min-w-[36rem]">
          <p aria-hidden="true" className="grid grid-cols-7 border-b border-line pb-1 text-small text-ink-2">
            {weeks[0]?.days.map((day) => (
              <span key={day} className="px-2">
                {dayName.format(new Date(`${day}T00:00:00Z`))}
              </span>
            ))}
          </p>
          {weeks.map((week) => (
            <WeekRow key={week.days[0]} week={week} month={month} today={today} onOpen={onOpen} />
          ))}
        </div>
      </div>
    </Card>
  );
}

interface WeekRowProps {
  week: CalendarWeek;
  month: string;
  today: string;
  onOpen: (promotion: PromotionItem) => void;
}

function WeekRow({ week, month, today, onOpen }: WeekRowProps) {
  const nameOf = usePromotionName();
  return (
    <div className="relative grid min-h-24 grid-cols-7 gap-y-1 border-b border-line pb-2 last:border-0">
      {week.days.map((day, column) => (
        <span
          key={day}
          style={{ gridColumn: column + 1, gridRow: 1 }}
          className={classNames('tabular px-2 pt-2 text-note', !day.startsWith(month) && 'text-ink-3')}
        >
          <span className={classNames(day === today && 'rounded-badge bg-ink px-2 py-0.5 font-bold text-surface')}>
            {Number(day.slice(8))}
          </span>
        </span>
      ))}
      {week.bars.map(({ promotion, from, to, line }) => (
        <button
          key={`${promotion.id}/${from}`}
          type="button"
          style={{ gridColumn: `${from + 1} / ${to + 2}`, gridRow: line + 2 }}
          className={classNames(
            'mx-0.5 min-h-7 truncate rounded-badge px-2 text-left text-small font-bold',
            promotionTone(promotion.code),
          )}
          onClick={() => onOpen(promotion)}
        >
          {nameOf(promotion)}
        </button>
      ))}
    </div>
  );
}

function PromotionList({ promotions, onOpen }: ViewProps) {
  const text = useText();
  const language = useLanguage();
  const nameOf = usePromotionName();
  if (promotions.length === 0) return <EmptyList>{text('networkPromotions:noPromotions')}</EmptyList>;
  return (
    <ul
      aria-label={text('networkPromotions:promotions')}
      className="overflow-hidden rounded-card bg-surface shadow-card"
    >
      {promotions.map((promotion) => (
        <li
          key={promotion.id}
          className="relative flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-0 hover:bg-surface-2"
        >
          <button
            type="button"
            className="min-w-0 basis-full text-left text-label font-bold after:absolute after:inset-0 sm:basis-auto"
            onClick={() => onOpen(promotion)}
          >
            {nameOf(promotion)}
          </button>
          <span className="text-small text-ink-2 sm:ml-auto">
            {promotion.days ? daysText(promotion.days, language) : text('networkPromotions:alwaysOn')}
          </span>
          {promotion.budget_per_day !== null && (
            <span className="tabular text-small text-ink-2">
              {text('networkPromotions:paidOfBudget', {
                paid: formatMoney(promotion.paid_today, {}, language),
                budget: formatMoney(promotion.budget_per_day, {}, language),
              })}
            </span>
          )}
          {promotion.is_waiting && (
            <span className="ml-auto sm:ml-0">
              <Badge tone="occupied">{text('network:waitsForApproval')}</Badge>
            </span>
          )}
          {promotion.is_running && (
            <span className="ml-auto sm:ml-0">
              <Badge tone="free">{text('networkPromotions:isRunning')}</Badge>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
