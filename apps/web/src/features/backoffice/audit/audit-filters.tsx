import { auditActors, auditList } from '@fpay/contract/admin/audit';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { momentNow } from '../parts/calendar.ts';
import { MomentField } from '../parts/moment-field.tsx';
import { contractRules, useFields } from '../parts/use-form.ts';
import { type AuditAddress, auditQueryOf, auditSubjects } from './address.ts';

const actorTexts = {
  staff: 'adminAudit:byStaff',
  'command line': 'adminAudit:byCommandLine',
  job: 'adminAudit:byJob',
} as const;

const askedOf = (typed: AuditAddress): AuditAddress => ({
  ...typed,
  staff: typed.staff.trim(),
  action: typed.action.trim().toLowerCase(),
});

const rules = contractRules(auditList.query, (typed: AuditAddress) => auditQueryOf(askedOf(typed)), {
  staff: { path: 'staff', text: 'adminAudit:staffInvalid' },
  action: { path: 'action', text: 'adminAudit:actionInvalid' },
  subject_id: { path: 'subject_id', text: 'adminAudit:subjectInvalid' },
  from: { path: 'from', text: 'admin:momentInvalid' },
  to: { path: 'to', text: 'admin:momentInvalid' },
});

interface AuditFiltersProps {
  address: AuditAddress;
  onGo: (address: AuditAddress) => void;
}

/** Who, what, on what and when. The filters count when GO is pressed. */
export function AuditFilters({ address, onGo }: AuditFiltersProps) {
  const text = useText();
  const { typed, change, field, props } = useFields({
    start: address,
    rules,
    onValid: (chosen) => onGo(askedOf(chosen)),
  });
  return (
    <form
      {...props}
      className="grid grid-cols-2 items-start gap-3 rounded-card bg-surface p-4 shadow-card lg:grid-cols-4"
    >
      <KindFilter
        label={text('adminAudit:by')}
        value={typed.by}
        kinds={auditActors.map((by) => ({ value: by as string, label: text(actorTexts[by]) }))}
        onChange={(by) => change({ by })}
      />
      <Field label={text('adminAudit:staffId')} inputMode="numeric" placeholder="id" {...field('staff')} />
      <Field label={text('adminAudit:action')} placeholder="payment.finalize" {...field('action')} />
      <KindFilter
        label={text('adminAudit:subjectKind')}
        value={typed.subject_kind}
        kinds={auditSubjects.map((kind) => ({ value: kind as string, label: kind }))}
        onChange={(subject_kind) => change({ subject_kind })}
      />
      <Field label={text('adminAudit:subjectId')} placeholder="id" {...field('subject_id')} />
      <div className="col-span-2 grid gap-3 sm:grid-cols-2 lg:col-span-2">
        <MomentField
          label={text('admin:from')}
          value={typed.from}
          max={momentNow()}
          onChange={(from) => change({ from })}
        />
        <MomentField label={text('admin:to')} value={typed.to} onChange={(to) => change({ to })} />
      </div>
      <Button type="submit" kind="main" className="col-span-2 lg:col-span-1 lg:mt-6.5">
        GO
      </Button>
    </form>
  );
}

interface KindFilterProps {
  label: string;
  /** Empty: any. */
  value: string;
  kinds: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** One kind of several, or any. */
function KindFilter({ label, value, kinds, onChange }: KindFilterProps) {
  const text = useText();
  return (
    <div>
      <p aria-hidden="true" className="mb-1.5 text-note font-bold">
        {label}
      </p>
      <Select
        label={label}
        value={value}
        onChange={onChange}
        options={[{ value: '', label: text('admin:any') }, ...kinds]}
      />
    </div>
  );
}
