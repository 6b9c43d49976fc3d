import type { AuditRecord } from '@fpay/contract/admin/audit';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { actorOf } from './actor.ts';
import { subjectPage } from './address.ts';

/** One action: who, on what, and what changed. */
export function RecordView({ record }: { record: AuditRecord }) {
  const text = useText();
  const { reason, personal } = recordedReason(record);
  const page = subjectPage(record.subject_kind, record.subject_id);
  return (
    <div className="flex flex-col gap-3">
      <p className="flex justify-between gap-2 text-small text-ink-2">
        <span>№ {record.id}</span>
        <DateTime instant={record.created_at} />
      </p>
      <h2 className="text-card break-words">{record.action}</h2>
      <p className="text-note">
        {actorOf(record, text)} · {record.subject_kind} {record.subject_id}
      </p>
      {reason !== undefined && (
        <p className="text-note">
          <span className="text-ink-2">{text('admin:reason')}:</span> {reason ?? text('admin:noReason')}
        </p>
      )}
      <Values title={text('adminAudit:before')} values={record.before} other={record.after} />
      <Values title={text('adminAudit:after')} values={record.after} other={record.before} />
      <Values title={text('adminAudit:personal')} values={personal} other={null} />
      {record.is_erased && <p className="text-small text-ink-2">{text('adminAudit:personalErased')}</p>}
      <div className="grid grid-cols-2 gap-2 *:only:col-span-2">
        {page && (
          <Button size="s" to={page}>
            {text('adminAudit:subject')}
          </Button>
        )}
        {record.staff && (
          <Button size="s" to={`/admin/users/${record.staff.id}`}>
            {text('adminAudit:staffMember')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The reason apart from the other personal values: undefined where the action asks for none, null where none was given. */
export function recordedReason({ personal: values }: Pick<AuditRecord, 'personal'>) {
  if (values === null || !('reason' in values)) return { reason: undefined, personal: values };
  const { reason, ...personal } = values;
  return { reason: typeof reason === 'string' ? reason : null, personal };
}

interface ValuesProps {
  title: string;
  values: AuditRecord['before'];
  other: AuditRecord['before'];
}

/** The names of the wire, because staff compare them with logs; what differs is bold. */
function Values({ title, values, other }: ValuesProps) {
  if (values === null || Object.keys(values).length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-small text-ink-2">{title}</h3>
      <dl className="rounded-control bg-surface-2 p-3 font-mono text-small">
        {Object.entries(values).map(([name, value]) => (
          <div key={name} className="flex gap-3">
            <dt className="w-28 shrink-0 break-words text-ink-2">{name}</dt>
            <dd
              className={`min-w-0 break-words ${JSON.stringify(other?.[name]) === JSON.stringify(value) ? '' : 'font-bold'}`}
            >
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The changed values in one line: `status: ongoing → failed`. */
export function changeText({ before, after }: Pick<AuditRecord, 'before' | 'after'>): string {
  const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.entries(after ?? before ?? {})
    .filter(([name, value]) => JSON.stringify(before?.[name]) !== JSON.stringify(value) || !after)
    .map(([name, value]) =>
      before && after && name in before
        ? `${name}: ${plain(before[name])} → ${plain(value)}`
        : `${name}: ${plain(value)}`,
    )
    .join(' · ');
}
