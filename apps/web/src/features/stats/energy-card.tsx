import type { HistoryRange, UserStats } from '@fpay/contract/history';
import type { Language } from '@fpay/contract/person';
import ChartColumn from 'lucide-react/icons/chart-column';
import TrendingDown from 'lucide-react/icons/trending-down';
import TrendingUp from 'lucide-react/icons/trending-up';
import type { TextKey } from '../../i18n/text-key.ts';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { formatKwh } from '../../ui/format/energy.tsx';
import { formatInstant, formatNumber, formatPercent } from '../../ui/format/number-format.ts';
import { type PeriodUnit, unitOf } from '../../ui/format/period.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { BarChart } from '../../ui/picture/bar-chart.tsx';
import { energyBars, energyOf } from './figures.ts';

interface EnergyCardProps {
  stats: UserStats;
  range: HistoryRange;
  /** Whole percent compared with the previous range; null without a comparison. */
  trend: number | null;
}

const captions = {
  week: 'stats:perWeekday',
  month: 'stats:perDay',
  year: 'stats:perMonth',
} as const satisfies Record<PeriodUnit, TextKey>;

const sinceWhen = {
  week: 'stats:thanLastWeek',
  month: 'stats:thanLastMonth',
  year: 'stats:thanLastYear',
} as const satisfies Record<PeriodUnit, TextKey>;

type NameForm = 'long' | 'short' | 'narrow';

/** Labels of the bars. The dates are arbitrary, because only the names of weekdays and months are used. */
const names = {
  week: (index, form, language) => {
    const [first = '', ...rest] = formatInstant(`2026-11-0${index + 2}T12:00:00Z`, { weekday: form }, language);
    return [first.toLocaleUpperCase(), ...rest].join('').replace('.', '');
  },
  month: (index) => String(index + 1),
  year: (index, form, language) =>
    formatInstant(`2026-${String(index + 1).padStart(2, '0')}-15T12:00:00Z`, { month: form }, language),
} as const satisfies Record<PeriodUnit, (index: number, form: NameForm, language: Language) => string>;

/** The sum is the largest element; the bars show when. */
export function EnergyCard({ stats, range, trend }: EnergyCardProps) {
  const text = useText();
  const language = useLanguage();
  const unit = unitOf(range);
  const nameOf = (index: number, form: NameForm) => names[unit](index, form, language);
  const bars = energyBars(stats, range).map((value, index) => ({
    label: nameOf(index, unit === 'year' ? 'narrow' : 'short'),
    name: nameOf(index, 'long'),
    value: value / 1000,
    isPresent: index + 1 === stats.now,
  }));
  return (
    <Card>
      <div className="flex flex-wrap items-end justify-between gap-2">
        <p>
          <span className="block text-note text-ink-2">{text('stats:charged')}</span>
          <span className="text-[2.5rem] leading-[1.2] font-extrabold tracking-[-0.045em]">
            {formatKwh(energyOf(stats), 1, language)}
          </span>{' '}
          <span className="ml-0.5 text-body text-ink-2">{text('generic:kwh')}</span>
        </p>
        {trend !== null && <Trend percent={trend} than={text(sinceWhen[unit])} />}
      </div>
      {energyOf(stats) === 0 ? (
        <p className="flex flex-col items-center gap-3 py-8 text-center text-body text-ink-2">
          <ChartColumn aria-hidden="true" size={40} strokeWidth={1.5} />
          {text('stats:empty')}
        </p>
      ) : (
        <BarChart
          caption={text(captions[unit])}
          bars={bars}
          showsValues={unit === 'week'}
          formatValue={(kwh) =>
            formatNumber(kwh, { least: kwh > 0 && kwh < 100 ? 1 : 0, most: kwh < 100 ? 1 : 0 }, language)
          }
          formatMark={(kwh) => formatNumber(kwh, { least: 0, most: 1 }, language)}
        />
      )}
    </Card>
  );
}

function Trend({ percent, than }: { percent: number; than: string }) {
  const Icon = percent < 0 ? TrendingDown : TrendingUp;
  return (
    <span className="mb-1.5 flex min-w-0 flex-1 basis-32 flex-col items-end gap-0.5 text-right">
      <Badge tone={percent < 0 ? 'offline' : 'free'} icon={<Icon aria-hidden="true" size={16} strokeWidth={2.4} />}>
        <span>
          {percent > 0 && '+'}
          {formatPercent(percent)}
        </span>
      </Badge>
      <span className="text-small text-ink-2">{than}</span>
    </span>
  );
}
