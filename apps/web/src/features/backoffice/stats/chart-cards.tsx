import type { StatsCharts } from '@fpay/contract/admin/stats';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { Energy } from '../../../ui/format/energy.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { formatInstant, formatNumber, formatPercent } from '../../../ui/format/number-format.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { BarChart } from '../../../ui/picture/bar-chart.tsx';
import { shareText } from '../parts/share-text.ts';
import { barsOf, type StatsBar, successOf } from './series.ts';

/** Energy, money and successful operations per day, the hours of the day, and the stations with the most energy. */
export function ChartCards({ charts }: { charts: StatsCharts }) {
  const text = useText();
  const language = useLanguage();
  const bars = barsOf(charts.days);
  const label = (of: string) => (of.length > 7 ? String(Number(of.slice(8))) : named(of, { month: 'narrow' }));
  const name = (of: string) =>
    named(of, of.length > 7 ? { day: 'numeric', month: 'long' } : { month: 'long', year: 'numeric' });
  const named = (of: string, options: Intl.DateTimeFormatOptions) =>
    formatInstant(`${of.length > 7 ? of : `${of}-15`}T12:00:00Z`, options, language);
  const whole = (value: number) => formatNumber(value, { least: 0, most: value < 100 ? 1 : 0 }, language);
  const series = (value: (bar: StatsBar) => number) =>
    bars.map((bar) => ({ label: label(bar.of), name: name(bar.of), value: value(bar) }));
  return (
    <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-2">
      <Chart title={text('adminStats:energyPerDay')} bars={series(({ energy }) => energy / 1000)} format={whole} />
      <Chart title={text('adminStats:moneyPerDay')} bars={series(({ total }) => total / 100)} format={whole} />
      <Chart
        title={text('adminStats:successPerDay')}
        bars={bars.map((bar) => ({ label: label(bar.of), name: name(bar.of), value: successOf(bar) ?? 0 }))}
        format={(percent) => formatPercent(percent, language)}
      />
      <Chart
        title={text('adminStats:energyPerHour')}
        bars={charts.hours.map(({ hour, energy }) => ({
          label: String(hour),
          name: `${String(hour).padStart(2, '0')}:00`,
          value: energy / 1000,
        }))}
        format={whole}
      />
      {charts.stations.length > 0 && <TopStations stations={charts.stations} />}
    </div>
  );
}

interface ChartProps {
  title: string;
  bars: readonly { label: string; name: string; value: number }[];
  format: (value: number) => string;
}

function Chart({ title, bars, format }: ChartProps) {
  const text = useText();
  const isEmpty = bars.every(({ value }) => value === 0);
  return (
    <Card>
      <h2 className="text-card">{title}</h2>
      {isEmpty ? (
        <p className="py-8 text-center text-note text-ink-2">{text('adminStats:noData')}</p>
      ) : (
        <BarChart caption={title} bars={bars} formatValue={format} />
      )}
    </Card>
  );
}

function TopStations({ stations }: Pick<StatsCharts, 'stations'>) {
  const text = useText();
  const language = useLanguage();
  const most = Math.max(1, ...stations.map(({ energy }) => energy));
  return (
    <Card className="lg:col-span-2">
      <h2 className="mb-2 text-card">{text('adminStats:topStations')}</h2>
      <ol aria-label={text('adminStats:topStations')} className="divide-y divide-line">
        {stations.map(({ station, energy, total, count, successful }) => (
          <li key={station} className="flex min-h-10 items-center gap-3 text-note">
            <Link to={`/admin/operations?station=${station}`} className="w-16 font-bold text-accent-text">
              {station}
            </Link>
            <span aria-hidden="true" className="hidden h-2 flex-1 rounded-full bg-surface-2 sm:block">
              <span className="block h-full rounded-full bg-free-fill" style={{ width: `${(energy / most) * 100}%` }} />
            </span>
            <span className="ml-auto w-26 text-right font-bold sm:w-28">
              <Energy energy={energy} decimals={1} />
            </span>
            <span className="hidden w-28 text-right text-ink-2 sm:block">
              <Money amount={total} rounded />
            </span>
            <span className="w-12 text-right text-ink-2">{shareText(successful, count, language)}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
