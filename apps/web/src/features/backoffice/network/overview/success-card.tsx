import type { NetworkOverview } from '@fpay/contract/admin/network/overview';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { formatNumber } from '../../../../ui/format/number-format.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { sharePath } from '../share-path.ts';
import { reasonTexts } from './problem-view.ts';
import { chargingSuccess, dailyRates, firstAttempt, rateOf } from './success-rate.ts';

/** How many charges began at the first attempt, day by day, how many went well, and why the others of today did not. */
export function SuccessCard({ days, reasons }: Pick<NetworkOverview, 'days' | 'reasons'>) {
  const text = useText();
  const today = days.at(-1);
  const rate = rateOf(days, firstAttempt);
  const charged = rateOf(days, chargingSuccess);
  const percent = (share: number) =>
    text('network:percent', { percent: formatNumber(100 * share, { least: 1, most: 1 }) });
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  return (
    <Card>
      <p className="flex items-baseline justify-between gap-2">
        <span className="text-label">{text('networkOverview:firstTime')}</span>
        <span className="text-small whitespace-nowrap text-ink-2">{text('networkOverview:lastDays')}</span>
      </p>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="tabular text-h1">{rate === null ? '?%' : percent(rate)}</span>
        {today && today.tries > 0 && (
          <span className="text-small text-ink-2">
            {text('networkOverview:firstTimeToday', { good: today.first, all: today.tries })}
          </span>
        )}
      </p>
      {charged !== null && (
        <p className="flex items-baseline justify-between gap-2 text-note">
          <span>{text('network:chargingSuccess')}</span>
          <span className="tabular font-bold">{percent(charged)}</span>
        </p>
      )}
      {rate === null ? (
        <p className="mt-2 text-small text-ink-2">{text('networkOverview:noAttempts')}</p>
      ) : (
        <svg aria-hidden="true" viewBox="0 0 280 80" preserveAspectRatio="none" className="mt-2 h-24 w-full">
          <path d="M0 1H280M0 40H280M0 79H280" className="stroke-line" fill="none" />
          <path
            d={sharePath(dailyRates(days, firstAttempt))}
            className="stroke-free-fill"
            fill="none"
            strokeWidth={2.5}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      )}
      <h2 className="mt-4 mb-1 text-label">{text('networkOverview:whyNot')}</h2>
      {reasons.length === 0 && <p className="text-small text-ink-2">{text('networkOverview:noFailures')}</p>}
      <ul>
        {reasons.map(({ reason, count, operations }) => (
          <FailureRow key={reason} reason={reason} count={count} most={most} operations={operations} />
        ))}
      </ul>
    </Card>
  );
}

/** One reason beside the most frequent one, and the operations of which it is true. */
function FailureRow({ reason, count, operations, most }: NetworkOverview['reasons'][number] & { most: number }) {
  const text = useText();
  return (
    <li className="py-1.5 text-note">
      <p className="flex items-center gap-3">
        <span className="min-w-0 flex-1">{text(reasonTexts[reason])}</span>
        <span className="h-2 w-24 overflow-hidden rounded-full bg-surface-2" aria-hidden="true">
          <span className="block h-full bg-error-fill" style={{ width: `${(100 * count) / most}%` }} />
        </span>
        <span className="tabular w-6 text-right font-bold">{count}</span>
      </p>
      <p className="flex flex-wrap gap-x-3">
        {operations.slice(0, 5).map((id) => (
          <Link
            key={id}
            to={`/admin/operations/${id}`}
            className="inline-flex min-h-6 items-center text-small font-bold text-accent-text"
          >
            № {id}
          </Link>
        ))}
      </p>
    </li>
  );
}
