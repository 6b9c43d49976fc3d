import type { SystemFinding } from '@fpay/contract/admin/watch';
import { useQuery } from '@tanstack/react-query';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { DataList } from '../parts/data-list.tsx';
import { HealthFrame } from './health-frame.tsx';
import { healthQueries } from './queries.ts';

const kinds = {
  job: { title: 'adminHealth:findingJob', advice: 'adminHealth:findingJobAdvice' },
  webhook: { title: 'adminHealth:findingWebhook', advice: 'adminHealth:findingWebhookAdvice' },
  charge_point: { title: 'adminHealth:findingChargePoint', advice: 'adminHealth:findingChargePointAdvice' },
} as const satisfies Record<SystemFinding['kind'], { title: TextKey; advice: TextKey }>;

/** Jobs that keep failing and charge points that report the impossible, the last seen first. */
export function Page() {
  const text = useText();
  const found = useQuery(healthQueries.system());
  return (
    <HealthFrame view="/admin/system" found={found}>
      {(findings) =>
        findings.length === 0 ? (
          <EmptyList>{text('adminHealth:noFindings')}</EmptyList>
        ) : (
          <ul aria-label={text('admin:system')} className="flex flex-col gap-3">
            {findings.map((finding) => (
              <li key={`${finding.kind} ${finding.id}`} className="rounded-card bg-surface p-4 shadow-card">
                <p className="flex flex-wrap items-center gap-2">
                  <span className="rounded-badge bg-surface-2 px-2 py-0.5 text-small font-bold">{finding.code}</span>
                  <b className="min-w-0 flex-1 text-label">{text(kinds[finding.kind].title)}</b>
                  <Badge tone="occupied">{text('adminHealth:times', { count: finding.times })}</Badge>
                </p>
                <p className="mt-1 text-small text-ink-2">
                  {text(kinds[finding.kind].advice)} · <DateTime instant={finding.first_at} /> –{' '}
                  <DateTime instant={finding.last_at} />
                </p>
                <DataList
                  rows={[
                    [finding.kind, finding.subject],
                    ...Object.entries(finding.details).map(
                      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
                    ),
                  ]}
                />
                {typeof finding.details.operation_id === 'number' && (
                  <Link
                    to={`/admin/operations/${finding.details.operation_id}`}
                    className="text-note font-bold text-accent-text"
                  >
                    {text('admin:operationTitle', { id: finding.details.operation_id })}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </HealthFrame>
  );
}
