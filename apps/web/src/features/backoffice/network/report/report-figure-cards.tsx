import type { ReportFigures } from '@fpay/contract/admin/network/station-report';
import { kopecks } from '@fpay/contract/money';
import ArrowDownRight from 'lucide-react/icons/arrow-down-right';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
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

/** Eight figures beside those of the period before, and what was delivered without a bill. */
export function ReportFigureCards({ figures, before }: ReportFigureCardsProps) {
  const text = useText();
  const rows: { label: string; value: ReactNode; change: number | null; was?: ReactNode }[] = [
    {
      label: text('network:energy'),
      value: <Energy energy={figures.energy} />,
      change: changeOf(figures.energy, before.energy),
      was: <Energy energy={before.energy} />,
    },
    {
      label: text('network:revenue'),
      value: <Money amount={figures.revenue} />,
      change: changeOf(figures.revenue, before.revenue),
      was: <Money amount={before.revenue} />,
    },
    {
      label: text('network:net'),
      value: <SignedMoney amount={figures.net} />,
      change: changeOf(figures.net, before.net),
      was: <SignedMoney amount={before.net} />,
    },
    {
      label: text('network:refunded'),
      value: <Money amount={figures.refunded} />,
      change: changeOf(figures.refunded, before.refunded),
      was: <Money amount={before.refunded} />,
    },
    {
      label: text('network:utilisation'),
      value: sharePercent(figures.utilisation),
      change: changeOf(figures.utilisation, before.utilisation),
    },
    {
      label: text('network:uptime'),
      value: sharePercent(figures.uptime),
      change: changeOf(figures.uptime, before.uptime),
    },
    {
      label: text('network:goodStarts'),
      value: sharePercent(figures.success),
      change: changeOf(figures.success, before.success),
    },
    {
      label: text('network:rating'),
      value: figures.rating === null ? '—' : formatNumber(figures.rating, { least: 1, most: 1 }),
      change: changeOf(figures.rating, before.rating),
    },
  ];
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {rows.map(({ label, value, change, was }) => (
          <Figure key={label} label={label} note={<ReportChange change={change} was={was} />}>
            {value}
          </Figure>
        ))}
      </dl>
      {(figures.unbilled_energy !== 0 || before.unbilled_energy !== 0) && (
        <div className="rounded-card bg-surface p-4 shadow-card">
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="text-label">{text('network:unbilled')}</span>
            <span className="tabular font-extrabold">
              <Energy energy={figures.unbilled_energy} /> · <Money amount={figures.unbilled} />
            </span>
          </p>
          <p className="text-small text-ink-2">{text('network:unbilledText')}</p>
        </div>
      )}
    </>
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
  if (change === null) return <span className="block text-small text-ink-2">{text('network:nothingBefore')}</span>;
  if (was !== undefined && saysTooLittle(100 * change)) {
    return (
      <>
        {text('network:wasBefore')} {was}
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
