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
  staff: 'oversight:byStaff',
  'command line': 'oversight:byCommandLine',
  job: 'oversight:byJob',
} as const;

const askedOf = (typed: AuditAddress): AuditAddress => ({
  ...typed,
  staff: typed.staff.trim(),
  action: typed.action.trim().toLowerCase(),
});

const rules = contractRules(auditList.query, (typed: AuditAddress) => auditQueryOf(askedOf(typed)), {
  staff: { path: 'staff', text: 'oversight:staffInvalid' },
  action: { path: 'action', text: 'oversight:actionInvalid' },
  subject_id: { path: 'subject_id', text: 'oversight:subjectInvalid' },
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
        label={text('oversight:by')}
        value={typed.by}
        kinds={auditActors.map((by) => ({ value: by as string, label: text(actorTexts[by]) }))}
        onChange={(by) => change({ by })}
      />
      <Field label={text('oversight:staffId')} inputMode="numeric" placeholder="id" {...field('staff')} />
      <Field label={text('oversight:action')} placeholder="payment.finalize" {...field('action')} />
      <KindFilter
        label={text('oversight:subjectKind')}
        value={typed.subject_kind}
        kinds={auditSubjects.map((kind) => ({ value: kind as string, label: kind }))}
        onChange={(subject_kind) => change({ subject_kind })}
      />
      <Field label={text('oversight:subjectId')} placeholder="id" {...field('subject_id')} />
      <div className="col-span-2 grid gap-3 sm:grid-cols-2 lg:col-span-2">
        <MomentField
          label={text('oversight:from')}
          value={typed.from}
          max={momentNow()}
          onChange={(from) => change({ from })}
        />
        <MomentField label={text('oversight:to')} value={typed.to} onChange={(to) => change({ to })} />
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
