import { forcedHolds, forcedStatuses, type OperationAction } from '@fpay/contract/admin/operation-actions';
import { operationStatuses } from '@fpay/contract/charging';
import { holdStatuses } from '@fpay/contract/payments';
import { useText } from '../../../i18n/use-text.ts';
import { Field } from '../../../ui/form/field.tsx';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { ChoiceChips } from '../parts/choice-chips.tsx';
import type { OrderForm } from './order.ts';

interface ActionFieldsProps {
  action: OperationAction;
  form: OrderForm;
  onChange: (form: OrderForm) => void;
}

/** The values that an action needs; most need none. */
export function ActionFields({ action, form, onChange }: ActionFieldsProps) {
  const text = useText();
  switch (action) {
    case 'force_status':
      return <StatusChoice presets={forcedStatuses} all={operationStatuses} form={form} onChange={onChange} />;
    case 'force_hold': {
      const all = holdStatuses.filter((status) => status !== 'unknown');
      return <StatusChoice presets={forcedHolds} all={all} form={form} onChange={onChange} />;
    }
    case 'finalize':
    case 'cancel_payment':
      return (
        <Field
          label={text('admin:amount')}
          hint={action === 'cancel_payment' ? text('admin:amountAll') : undefined}
          inputMode="decimal"
          trailing="₴"
          value={form.amount}
          onChange={({ target }) => onChange({ ...form, amount: target.value })}
        />
      );
    case 'force_energy':
      return (
        <>
          <Field
            label={text('admin:energy')}
            inputMode="decimal"
            trailing={text('generic:kwh')}
            value={form.energy}
            onChange={({ target }) => onChange({ ...form, energy: target.value })}
          />
          <Switch
            label={text('admin:updatesTotal')}
            checked={form.updatesTotal}
            onChange={(updatesTotal) => onChange({ ...form, updatesTotal })}
          />
        </>
      );
    case 'reset':
      return (
        <Segmented
          legend={text('admin:resetMode')}
          value={form.resetType}
          onChange={(resetType) => onChange({ ...form, resetType })}
          segments={[
            { value: 'Soft', label: 'Soft' },
            { value: 'Hard', label: 'Hard' },
          ]}
        />
      );
    default:
      return null;
  }
}

const none = '';

interface StatusChoiceProps extends Omit<ActionFieldsProps, 'action'> {
  presets: readonly string[];
  all: readonly string[];
}

/** A preset, or any other status; the other one counts only without a preset. */
function StatusChoice({ presets, all, form, onChange }: StatusChoiceProps) {
  const text = useText();
  const choices = [...presets.map((value) => ({ value, label: value })), { value: none, label: text('admin:other') }];
  return (
    <>
      <ChoiceChips
        legend={text('admin:newStatus')}
        choices={choices}
        value={form.preset ?? none}
        onChange={(preset) => onChange({ ...form, preset: preset || null })}
        wraps
      />
      <Select
        label={text('admin:otherStatus')}
        value={form.custom ?? none}
        onChange={(custom) => onChange({ ...form, custom: custom || null })}
        options={[{ value: none, label: text('admin:otherStatus') }, ...all.map((value) => ({ value, label: value }))]}
      />
    </>
  );
}
