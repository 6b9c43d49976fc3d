import { forcedStatuses, forceOperationStatus, forceStatusAction } from '@fpay/contract/admin/actions/force-status';
import { type OperationStatus, operationStatuses } from '@fpay/contract/charging';
import Shuffle from 'lucide-react/icons/shuffle';
import { call } from '../../../../api/call.ts';
import { StatusChoice } from '../action-fields.tsx';
import { operationText } from '../action-texts.ts';
import { actionView } from '../action-view.ts';
import { chosenStatus } from '../order.ts';

export const forceStatusView = actionView({
  record: forceStatusAction,
  Icon: Shuffle,
  label: 'adminOperations:forceStatus',
  group: 'force',
  isForced: true,
  Fields: (props) => <StatusChoice presets={forcedStatuses} all={operationStatuses} {...props} />,
  requestOf(form) {
    const status = chosenStatus(form) as OperationStatus | null;
    return status === null ? null : { action: 'force_status', status };
  },
  perform: ({ operation_id }, { status }, { reason }) =>
    call(forceOperationStatus, { params: { id: String(operation_id) }, body: { status, override: true, reason } }),
  resultText: operationText,
});
