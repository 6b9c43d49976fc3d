import { resetAction } from '@fpay/contract/admin/actions/reset';
import { stationCommand } from '@fpay/contract/admin/actions/station-command';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import { call } from '../../../../api/call.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Segmented } from '../../../../ui/form/segmented.tsx';
import { actionView, type FieldsProps } from '../action-view.ts';
import { stationText } from '../station-result.ts';

export const resetView = actionView({
  record: resetAction,
  Icon: RotateCcw,
  label: 'adminOperations:resetStation',
  group: 'station',
  Fields,
  perform: ({ charge_point_id: chargePointId }, _request, { resetType }) =>
    call(stationCommand, { body: { command: 'reset', payload: { chargePointId, resetType } } }),
  resultText: stationText,
});

function Fields({ form, onChange }: FieldsProps) {
  const text = useText();
  return (
    <Segmented
      legend={text('adminOperations:resetMode')}
      value={form.resetType}
      onChange={(resetType) => onChange({ ...form, resetType })}
      segments={[
        { value: 'Soft', label: 'Soft' },
        { value: 'Hard', label: 'Hard' },
      ]}
    />
  );
}
