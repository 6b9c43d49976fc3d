import { auditActors, auditList } from '@fpay/contract/admin/audit';
import { type FormEvent, useState } from 'react';
import { type FormErrors, schemaErrors } from '../../../api/form-errors.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { momentNow } from '../parts/calendar.ts';
import { MomentField } from '../parts/moment-field.tsx';
import { type AuditAddress, auditQueryOf, auditSubjects } from './address.ts';

const actorTexts = {
  staff: 'oversight:byStaff',
  'command line': 'oversight:byCommandLine',
  job: 'oversight:byJob',
} as const;

const fields = {
  staff: { path: 'staff', text: 'oversight:staffInvalid' },
  action: { path: 'action', text: 'oversight:actionInvalid' },
  subject_id: { path: 'subject_id', text: 'oversight:subjectInvalid' },
  from: { path: 'from', text: 'admin:momentInvalid' },
  to: { path: 'to', text: 'admin:momentInvalid' },
} as const;

interface AuditFiltersProps {
  address: AuditAddress;
  onGo: (address: AuditAddress) => void;
}

/** Who, what, on what and when. The filters count when GO is pressed. */
export function AuditFilters({ address, onGo }: AuditFiltersProps) {
  const text = useText();
  const [typed, setTyped] = useState(address);
  const [errors, setErrors] = useState<FormErrors<keyof typeof fields>>({});
  function change(next: Partial<AuditAddress>) {
    setTyped({ ...typed, ...next });
    setErrors({});
  }
  function go(event: FormEvent) {
    event.preventDefault();
    const asked = { ...typed, staff: typed.staff.trim(), action: typed.action.trim().toLowerCase() };
    const found = schemaErrors(auditList.query, auditQueryOf(asked), fields);
    setErrors(found);
    if (Object.keys(found).length === 0) onGo(asked);
  }
  const field = (name: 'staff' | 'action' | 'subject_id') => ({
    value: typed[name],
    error: errors[name] && text(errors[name]),
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <form
      noValidate
      onSubmit={go}
      className="grid grid-cols-2 items-start gap-3 rounded-card bg-surface p-4 shadow-card lg:grid-cols-4"
    >
      <div>
        <p aria-hidden="true" className="mb-1.5 text-note font-bold">
          {text('oversight:by')}
        </p>
        <Select
          label={text('oversight:by')}
          value={typed.by}
          onChange={(by) => change({ by })}
          options={[
            { value: '', label: text('admin:any') },
            ...auditActors.map((by) => ({ value: by as string, label: text(actorTexts[by]) })),
          ]}
        />
      </div>
      <Field label={text('oversight:staffId')} inputMode="numeric" placeholder="id" {...field('staff')} />
      <Field label={text('oversight:action')} placeholder="payment.finalize" {...field('action')} />
      <div>
        <p aria-hidden="true" className="mb-1.5 text-note font-bold">
          {text('oversight:subjectKind')}
        </p>
        <Select
          label={text('oversight:subjectKind')}
          value={typed.subject_kind}
          onChange={(subject_kind) => change({ subject_kind })}
          options={[
            { value: '', label: text('admin:any') },
            ...auditSubjects.map((kind) => ({ value: kind as string, label: kind })),
          ]}
        />
      </div>
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
