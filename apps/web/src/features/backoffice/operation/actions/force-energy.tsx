import { forceEnergy, forceEnergyAction } from '@fpay/contract/admin/actions/force-energy';
import { wattHours } from '@fpay/contract/money';
import Zap from 'lucide-react/icons/zap';
import { call } from '../../../../api/call.ts';
import { text as textNow } from '../../../../i18n/i18n.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Field } from '../../../../ui/form/field.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { formatKwh } from '../../../../ui/format/energy.tsx';
import { formatMoney } from '../../../../ui/format/money.tsx';
import { actionView, type FieldsProps } from '../action-view.ts';

export const forceEnergyView = actionView({
  record: forceEnergyAction,
  Icon: Zap,
  label: 'adminOperations:forceEnergy',
  group: 'force',
  isForced: true,
  Fields,
  requestOf({ energy: typed, updatesTotal }) {
    const energy = wattHoursOf(typed);
    return energy === null ? null : { action: 'force_energy', energy: wattHours(energy), update_total: updatesTotal };
  },
  perform: ({ operation_id }, { energy, update_total = false }, { reason }) =>
    call(forceEnergy, { params: { id: String(operation_id) }, body: { energy, update_total, reason } }),
  resultText: ({ energy, total }) =>
    textNow('adminOperations:doneEnergy', { energy: formatKwh(energy), total: formatMoney(total) }),
});

function Fields({ form, onChange }: FieldsProps) {
  const text = useText();
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
        label={text('adminOperations:updatesTotal')}
        checked={form.updatesTotal}
        onChange={(updatesTotal) => onChange({ ...form, updatesTotal })}
      />
    </>
  );
}

const mostWh = 1_000_000;

/** kWh with at most three decimals, as whole watt-hours. */
function wattHoursOf(typed: string): number | null {
  const match = /^(\d{1,4})(?:[.,](\d{1,3}))?$/.exec(typed.trim());
  if (!match) return null;
  const energy = Number(match[1]) * 1000 + Number((match[2] ?? '').padEnd(3, '0'));
  return energy <= mostWh ? energy : null;
}
