import type { OverallStats } from '@fpay/contract/admin/stats';
import { kopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import Activity from 'lucide-react/icons/activity';
import Banknote from 'lucide-react/icons/banknote';
import Zap from 'lucide-react/icons/zap';
import type { ReactNode } from 'react';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { formatNumber, formatPercent, gap } from '../../../ui/format/number-format.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { relativeChange, saysTooLittle } from '../parts/change.ts';
import { shareText } from '../parts/share-text.ts';

const missing = 'MISSING';

interface FigureCardsProps {
  stats: OverallStats;
  /** The period of the same length right before; missing while it is loading. */
  before: OverallStats | undefined;
}

/** Every figure of the period: three large ones with the change, the operations by result, money and averages. */
export function FigureCards({ stats, before }: FigureCardsProps) {
  const text = useText();
  const { number, money } = useFigureTexts();
  const { count, uah } = stats;
  return (
    <>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        <Large
          Icon={Zap}
          name={text('admin:energy')}
          value={`${number(stats.kwh)} ${text('generic:kwh')}`}
          change={before && relativeChange({ now: stats.kwh, week_ago: before.kwh })}
          before={before && `${number(before.kwh)}${gap}${text('generic:kwh')}`}
        />
        <Large
          Icon={Banknote}
          name={text('admin:money')}
          value={money(uah.total)}
          change={before && relativeChange({ now: uah.total, week_ago: before.uah.total })}
          before={before && money(before.uah.total)}
        />
        <Large
          Icon={Activity}
          name={text('adminStats:charges')}
          value={number(count.total, 0)}
          change={before && relativeChange({ now: count.total, week_ago: before.count.total })}
          before={before && number(before.count.total, 0)}
        />
      </div>
      <Results stats={stats} />
      <OtherFigures stats={stats} />
    </>
  );
}

/** Money, averages and counts. */
function OtherFigures({ stats }: { stats: OverallStats }) {
  const text = useText();
  const { number, money, signedMoney } = useFigureTexts();
  const { count, uah, avg, feedback } = stats;
  return (
    <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-3">
      <Figures
        title={text('adminStats:moneyFigures')}
        rows={[
          ['admin:total', money(uah.total)],
          ['adminStats:fromBalance', money(uah.balance)],
          ['adminStats:balanceShare', uah.balance_percentage === null ? '?%' : formatPercent(uah.balance_percentage)],
          ['adminStats:ongoing', money(uah.ongoing)],
          ['adminStats:overLimit', money(uah.over_limit)],
          ['adminStats:overcharge', money(uah.overcharge)],
          ['adminStats:lost', money(uah.lost)],
          ['adminStats:idle', money(uah.idle)],
          ['adminStats:refunded', money(uah.refunded)],
          ['adminStats:rewards', money(uah.rewards)],
          ['adminStats:net', signedMoney(uah.net)],
          ...(uah.given === null ? [] : [['adminStats:given', signedMoney(uah.given)] as const]),
        ]}
      />
      <Figures
        title={text('adminStats:onAverage')}
        rows={[
          ['adminStats:energyPerCharge', avg.kwh === null ? missing : `${number(avg.kwh)} ${text('generic:kwh')}`],
          ['adminStats:sumPerCharge', money(avg.uah === null ? null : Math.round(avg.uah))],
          ['admin:hold', money(avg.hold_amount === null ? null : Math.round(avg.hold_amount))],
          ['adminStats:progress', avg.progress === null ? '?%' : formatPercent(avg.progress)],
          ['admin:rating', number(feedback.avg, 2)],
          ['admin:feedback', number(feedback.count, 0)],
        ]}
      />
      <Figures
        title={text('adminStats:charges')}
        rows={[
          ['adminStats:free', number(count.free, 0)],
          ['adminStats:promo', number(count.promo, 0)],
          ['adminStats:firstOperation', <Moment key="first" instant={stats.firstOperation} />],
          ['adminStats:lastOperation', <Moment key="last" instant={stats.lastOperation} />],
        ]}
      />
    </div>
  );
}

/** Figures as texts in the language of the page; one that is not known is named so. */
function useFigureTexts() {
  const language = useLanguage();
  const money = (amount: number | null) => (amount === null ? missing : formatMoney(kopecks(amount), {}, language));
  return {
    money,
    signedMoney: (amount: number) => `${amount < 0 ? '−' : ''}${money(Math.abs(amount))}`,
    number: (value: number | null, most = 1) =>
      value === null ? missing : formatNumber(value, { least: 0, most }, language),
  };
}

function Moment({ instant }: { instant: string | null }) {
  return instant === null ? missing : <DateTime instant={instant} />;
}

interface LargeProps {
  Icon: typeof Zap;
  name: string;
  value: string;
  change: number | null | undefined;
  before: string | undefined;
}

function Large({ Icon, name, value, change, before }: LargeProps) {
  const text = useText();
  return (
    <Card>
      <p className="flex items-center gap-2 text-small text-ink-2">
        <Icon aria-hidden="true" size={16} />
        {name}
      </p>
      <p className="text-[1.625rem] leading-8 font-extrabold tracking-tight">{value}</p>
      <p className="text-small text-ink-2">
        {change !== undefined && saysTooLittle(change) ? (
          text('adminStats:wasBefore', { value: before ?? missing })
        ) : (
          <>
            {change === undefined ? gap : change === null ? '?%' : signedPercent(change)}{' '}
            {change !== undefined && text('adminStats:thanBefore')}
          </>
        )}
      </p>
    </Card>
  );
}

/** Grey, because more money is not better when it was lost. */
function signedPercent(change: number, language?: Language): string {
  return `${change > 0 ? '+' : ''}${formatPercent(Math.round(change) || 0, language)}`;
}

const results = [
  { of: 'successful', name: 'adminStats:successful', fill: 'bg-free-fill' },
  { of: 'ongoing', name: 'adminStats:ongoing', fill: 'bg-charging-fill' },
  { of: 'created', name: 'adminStats:created', fill: 'bg-ready-fill' },
  { of: 'canceled', name: 'adminStats:canceled', fill: 'bg-offline-fill' },
  { of: 'failed', name: 'adminStats:failed', fill: 'bg-error-fill' },
  { of: 'failed_hold', name: 'adminStats:failedHold', fill: 'bg-occupied-fill' },
  { of: 'other', name: 'adminStats:other', fill: 'bg-ink-3' },
] as const satisfies readonly { of: keyof OverallStats['count']; name: TextKey; fill: string }[];

function Results({ stats: { count } }: { stats: OverallStats }) {
  const text = useText();
  const language = useLanguage();
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="flex justify-between text-card">
        {text('adminStats:byResult')}
        <span className="tabular text-note text-ink-2">
          {formatNumber(count.total, { least: 0, most: 0 }, language)}
        </span>
      </h2>
      <div aria-hidden="true" className="flex h-6 gap-0.5 overflow-hidden rounded-badge bg-surface-2">
        {results.map(
          ({ of, fill }) =>
            count[of] > 0 && <span key={of} className={`h-full min-w-1 ${fill}`} style={{ flexGrow: count[of] }} />,
        )}
      </div>
      <dl aria-label={text('adminStats:byResult')} className="grid gap-x-8 gap-y-1 sm:grid-cols-2 xl:grid-cols-3">
        {results.map(({ of, name, fill }) => (
          <div key={of} className="flex items-center gap-2 text-note">
            <span aria-hidden="true" className={`size-3 shrink-0 rounded-[4px] ${fill}`} />
            <dt className="min-w-0 flex-1 truncate">{text(name)}</dt>
            <dd className="tabular flex font-bold">
              {formatNumber(count[of], { least: 0, most: 0 }, language)}
              <span className="ml-2 w-12 text-right font-normal text-ink-2">
                {shareText(count[of], count.total, language)}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Figures({ title, rows }: { title: string; rows: readonly (readonly [TextKey, ReactNode])[] }) {
  const text = useText();
  return (
    <Card>
      <h2 className="mb-1 text-card">{title}</h2>
      <dl aria-label={title} className="divide-y divide-line">
        {rows.map(([name, value]) => (
          <div key={name} className="flex min-h-9 items-center justify-between gap-4 text-note">
            <dt className="text-ink-2">{text(name)}</dt>
            <dd className="tabular text-right font-bold">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
