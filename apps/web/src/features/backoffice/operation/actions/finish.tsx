import { finishAction, finishOperation } from '@fpay/contract/admin/actions/finish';
import Flag from 'lucide-react/icons/flag';
import { call } from '../../../../api/call.ts';
import { operationText } from '../action-texts.ts';
import { actionView } from '../action-view.ts';

export const finishView = actionView({
  record: finishAction,
  Icon: Flag,
  label: 'adminOperations:finish',
  group: 'soft',
  perform: ({ operation_id }, _, { reason }) =>
    call(finishOperation, { params: { id: String(operation_id) }, body: { reason } }),
  resultText: operationText,
});
