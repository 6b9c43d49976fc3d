import { counterCodes } from '@fpay/contract/health';
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Energy } from '../../../ui/format/energy.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { ShortHold, ShortStatus } from '../parts/short-status.tsx';
import { HealthFrame } from './health-frame.tsx';
import { healthQueries } from './queries.ts';
import { RuleCard } from './rule-card.tsx';

/** Sums that do not match, by rule, the newest first. */
export function Page() {
  const text = useText();
  const found = useQuery(healthQueries.counters());
  return (
    <HealthFrame view="/admin/counters" found={found}>
      {(counters) =>
        counterCodes.map((code) => (
          <RuleCard
            key={code}
            code={code}
            items={counters
              .filter((counter) => counter.code === code)
              .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))}
          >
            {(counter) => (
              <>
                <ShortStatus status={counter.operation_status} />
                <ShortHold hold={counter.payment_status} />
                <span>
                  {text('admin:total')} <Money amount={counter.operation_total} />
                </span>
                {counter.payment_total !== null && counter.payment_amount !== null && (
                  <span className="text-ink-2">
                    {text('admin:payment')} <Money amount={counter.payment_total} /> {text('admin:of')}{' '}
                    <Money amount={counter.payment_amount} />
                  </span>
                )}
                <Energy energy={counter.energy} />
                <span className="text-ink-2">
                  <DateTime instant={counter.created_at} />
                </span>
              </>
            )}
          </RuleCard>
        ))
      }
    </HealthFrame>
  );
}
