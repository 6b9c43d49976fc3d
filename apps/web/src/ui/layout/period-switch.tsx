import type { HistoryRange } from '@fpay/contract/history';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { TextKey } from '../../i18n/text-key.ts';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { IconButton } from '../form/icon-button.tsx';
import { Segmented } from '../form/segmented.tsx';
import { formatDays, formatInstant } from '../format/number-format.ts';
import { daysOf, isLast, type PeriodUnit, periodRangeOf, periodUnits, unitOf } from '../format/period.ts';

const unitNames = {
  week: 'history:byWeek',
  month: 'history:byMonth',
  year: 'history:byYear',
} as const satisfies Record<PeriodUnit, TextKey>;

const rangeNames = {
  week: 'history:week',
  month: 'history:month',
  year: 'history:year',
  lastWeek: 'history:lastWeek',
  lastMonth: 'history:lastMonth',
  lastYear: 'history:lastYear',
} as const satisfies Record<HistoryRange, TextKey>;

interface PeriodSwitchProps {
  value: HistoryRange;
  onChange: (range: HistoryRange) => void;
}

/** Six ranges: three lengths, each present or last. */
export function PeriodSwitch({ value, onChange }: PeriodSwitchProps) {
  const text = useText();
  const language = useLanguage();
  const unit = unitOf(value);
  const isPast = isLast(value);
  const { first, last } = daysOf(value, new Date());
  const noon = `${first}T12:00:00Z`;
  const dates = {
    week: () => formatDays(first, last, language),
    month: () => `${formatInstant(noon, { month: 'long' }, language)} ${first.slice(0, 4)}`,
    year: () => first.slice(0, 4),
  } as const satisfies Record<PeriodUnit, () => string>;
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        legend={text('history:period')}
        value={unit}
        onChange={(chosen) => onChange(periodRangeOf(chosen, isPast))}
        segments={periodUnits.map((one) => ({ value: one, label: text(unitNames[one]) }))}
      />
      <div className="flex items-center gap-3">
        <IconButton
          label={text('history:earlier')}
          icon={<ChevronLeft aria-hidden="true" size={22} />}
          look="outlined"
          disabled={isPast}
          onPress={() => onChange(periodRangeOf(unit, true))}
        />
        <p aria-live="polite" className="min-w-0 flex-1 text-center">
          <span className="block text-body font-bold">{text(rangeNames[value])}</span>
          <span className="block text-note text-ink-2">{dates[unit]()}</span>
        </p>
        <IconButton
          label={text('history:later')}
          icon={<ChevronRight aria-hidden="true" size={22} />}
          look="outlined"
          disabled={!isPast}
          onPress={() => onChange(periodRangeOf(unit, false))}
        />
      </div>
    </div>
  );
}
