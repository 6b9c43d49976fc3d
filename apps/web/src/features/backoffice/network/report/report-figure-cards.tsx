import type { ReportFigures } from '@fpay/contract/admin/network/station-report';
import { kopecks } from '@fpay/contract/money';
import ArrowDownRight from 'lucide-react/icons/arrow-down-right';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Energy } from '../../../../ui/format/energy.tsx';
import { Money } from '../../../../ui/format/money.tsx';
import { formatNumber } from '../../../../ui/format/number-format.ts';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { Figure } from '../../../../ui/layout/figure.tsx';
import { saysTooLittle } from '../../parts/change.ts';
import { changeOf, sharePercent } from './report-text.ts';

interface ReportFigureCardsProps {
  figures: ReportFigures;
  before: ReportFigures;
}

/** The figures of a period; an amount of the period before is shown when a percentage says too little. */
const views: readonly {
  name: keyof ReportFigures;
  label: TextKey;
  show: (figures: ReportFigures) => ReactNode;
  isAmount?: true;
}[] = [
  { name: 'energy', label: 'networkReport:energy', show: ({ energy }) => <Energy energy={energy} />, isAmount: true },
  {
    name: 'revenue',
    label: 'networkReport:revenue',
    show: ({ revenue }) => <Money amount={revenue} />,
    isAmount: true,
  },
  { name: 'net', label: 'networkReport:net', show: ({ net }) => <SignedMoney amount={net} />, isAmount: true },
  {
    name: 'refunded',
    label: 'networkReport:refunded',
    show: ({ refunded }) => <Money amount={refunded} />,
    isAmount: true,
  },
  { name: 'utilisation', label: 'networkReport:utilisation', show: ({ utilisation }) => sharePercent(utilisation) },
  { name: 'uptime', label: 'networkReport:uptime', show: ({ uptime }) => sharePercent(uptime) },
  {
    name: 'charging_success',
    label: 'network:chargingSuccess',
    show: ({ charging_success }) => sharePercent(charging_success),
  },
  { name: 'success', label: 'networkReport:goodStarts', show: ({ success }) => sharePercent(success) },
  {
    name: 'rating',
    label: 'networkReport:rating',
    show: ({ rating }) => (rating === null ? '—' : formatNumber(rating, { least: 1, most: 1 })),
  },
];

/** Nine figures beside those of the period before, and what was delivered without a bill. */
export function ReportFigureCards({ figures, before }: ReportFigureCardsProps) {
  const text = useText();
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {views.map(({ name, label, show, isAmount }) => (
          <Figure
            key={name}
            label={text(label)}
            note={
              <ReportChange change={changeOf(figures[name], before[name])} was={isAmount ? show(before) : undefined} />
            }
          >
            {show(figures)}
          </Figure>
        ))}
      </dl>
      {(figures.unbilled_energy !== 0 || before.unbilled_energy !== 0) && <Unbilled figures={figures} />}
    </>
  );
}

/** What was delivered without a bill. */
function Unbilled({ figures }: { figures: ReportFigures }) {
  const text = useText();
  return (
    <div className="rounded-card bg-surface p-4 shadow-card">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-label">{text('networkReport:unbilled')}</span>
        <span className="tabular font-extrabold">
          <Energy energy={figures.unbilled_energy} /> · <Money amount={figures.unbilled} />
        </span>
      </p>
      <p className="text-small text-ink-2">{text('networkReport:unbilledText')}</p>
    </div>
  );
}

/** More can go back to drivers in a period than came in. */
function SignedMoney({ amount }: { amount: number }) {
  return (
    <>
      {amount < 0 && '−'}
      <Money amount={kopecks(Math.abs(amount))} />
    </>
  );
}

function ReportChange({ change, was }: { change: number | null; was: ReactNode }) {
  const text = useText();
  if (change === null)
    return <span className="block text-small text-ink-2">{text('networkReport:nothingBefore')}</span>;
  if (was !== undefined && saysTooLittle(100 * change)) {
    return (
      <>
        {text('networkReport:wasBefore')} {was}
      </>
    );
  }
  const Arrow = change < 0 ? ArrowDownRight : ArrowUpRight;
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 text-small font-bold',
        change < 0 ? 'text-error' : 'text-free',
      )}
    >
      <Arrow aria-hidden="true" size={14} />
      {change > 0 ? '+' : ''}
      {sharePercent(change)}
    </span>
  );
}
