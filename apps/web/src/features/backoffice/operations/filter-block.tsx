import type { HoldFilter, StatusFilter } from '@fpay/contract/admin/filters';
import type { PaymentType } from '@fpay/contract/charging';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { momentNow, readMoment } from '../parts/calendar.ts';
import { ChoiceChips } from '../parts/choice-chips.tsx';
import { MomentField } from '../parts/moment-field.tsx';
import { holdChoices, type ListAddress, statusChoices } from './filters.ts';
import { paymentNames } from './payment-icon.tsx';

const any = 'any';

export const filterStatusNames = {
  pending: 'adminOperations:filterPending',
  starting: 'adminOperations:filterStarting',
  open: 'adminOperations:filterOpen',
  closed: 'adminOperations:filterClosed',
  failed: 'adminOperations:filterFailed',
} as const satisfies Record<StatusFilter, TextKey>;

export const filterHoldNames = {
  wait: 'adminOperations:holdWait',
  hold: 'adminOperations:holdHold',
  ok: 'adminOperations:holdOk',
  fail: 'adminOperations:holdFail',
  reversed: 'adminOperations:holdReversed',
} as const satisfies Record<HoldFilter, TextKey>;

/** The payment filter of the specification has no free operations. */
const paymentChoices = ['bank', 'bonuses'] as const satisfies PaymentType[];

interface FilterBlockProps {
  address: ListAddress;
  filtered: number;
  onChange: (next: Partial<ListAddress>) => void;
}

/** Filters by status, hold, payment and time; it is open at first when a filter is set. */
export function FilterBlock({ address, filtered, onChange }: FilterBlockProps) {
  const text = useText();
  const [isOpen, setOpen] = useState(filtered > 0);
  const anyChoice = { value: any, label: text('admin:any') } as const;
  const none = { station: null, user: null, status: null, hold: null, payment_type: null, from: null, to: null };
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group rounded-card bg-surface shadow-card"
    >
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2 px-4 text-label">
        <ChevronRight aria-hidden="true" size={20} className="text-ink-2 group-open:rotate-90" />
        {text('adminOperations:filters')}
        {filtered > 0 && (
          <span className="rounded-badge bg-charging-tint px-2 text-small text-charging">{filtered}</span>
        )}
      </summary>
      <div className="flex flex-col gap-3 px-4 pb-4">
        <ChoiceChips<StatusFilter | typeof any>
          legend={text('adminOperations:operationStatus')}
          value={address.status ?? any}
          onChange={(status) => onChange({ status: status === any ? null : status })}
          choices={[anyChoice, ...statusChoices.map((value) => ({ value, label: text(filterStatusNames[value]) }))]}
        />
        <ChoiceChips<HoldFilter | typeof any>
          legend={text('admin:hold')}
          value={address.hold ?? any}
          onChange={(hold) => onChange({ hold: hold === any ? null : hold })}
          choices={[anyChoice, ...holdChoices.map((value) => ({ value, label: text(filterHoldNames[value]) }))]}
        />
        <ChoiceChips<PaymentType | typeof any>
          legend={text('admin:payment')}
          value={address.payment_type ?? any}
          onChange={(type) => onChange({ payment_type: type === any ? null : type })}
          choices={[anyChoice, ...paymentChoices.map((value) => ({ value, label: text(paymentNames[value]) }))]}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <TimeField
            label={text('adminOperations:from')}
            value={address.from}
            onChange={(from) => onChange({ from })}
          />
          <TimeField label={text('adminOperations:to')} value={address.to} onChange={(to) => onChange({ to })} />
        </div>
        {filtered > 0 && (
          <Button kind="text" size="s" className="self-start" onPress={() => onChange(none)}>
            {text('adminOperations:reset')}
          </Button>
        )}
      </div>
    </details>
  );
}

interface TimeFieldProps {
  label: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Takes effect when the field is left, because a date is typed in parts. */
function TimeField({ label, value, onChange }: TimeFieldProps) {
  const text = useText();
  const [typed, setTyped] = useState({ moment: value ?? '', of: value });
  // Another filter of the address, or none: the field follows.
  if (typed.of !== value) setTyped({ moment: value ?? '', of: value });
  return (
    <MomentField
      label={label}
      hint={text('adminOperations:timeHint')}
      max={momentNow()}
      value={typed.moment}
      onChange={(moment) => setTyped({ moment, of: value })}
      onCommit={(moment) => {
        const isWrong = moment !== '' && readMoment(moment) === null;
        if (!isWrong && moment !== (value ?? '')) onChange(moment || null);
      }}
    />
  );
}
