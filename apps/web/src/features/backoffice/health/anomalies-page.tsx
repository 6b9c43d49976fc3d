import { anomalyCodes } from '@fpay/contract/health';
import { useQuery } from '@tanstack/react-query';
import { ShortHold, ShortStatus } from '../parts/short-status.tsx';
import { HealthFrame } from './health-frame.tsx';
import { healthQueries } from './queries.ts';
import { RuleCard } from './rule-card.tsx';

/** Operations and payments that contradict each other, by rule, the latest operation first. */
export function Page() {
  const found = useQuery(healthQueries.anomalies());
  return (
    <HealthFrame view="/admin/anomalies" found={found}>
      {(anomalies) =>
        anomalyCodes.map((code) => (
          <RuleCard
            key={code}
            code={code}
            items={anomalies
              .filter((anomaly) => anomaly.code === code)
              .toSorted((one, other) => other.operation_id - one.operation_id)}
          >
            {(anomaly) => (
              <>
                <ShortStatus status={anomaly.operation_status} />
                <ShortHold hold={anomaly.payment_status} />
              </>
            )}
          </RuleCard>
        ))
      }
    </HealthFrame>
  );
}
