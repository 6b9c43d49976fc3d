import { softCancel, softCancelAction } from '@fpay/contract/admin/actions/soft-cancel';
import Ban from 'lucide-react/icons/ban';
import { call } from '../../../../api/call.ts';
import { operationText } from '../action-texts.ts';
import { actionView } from '../action-view.ts';

export const softCancelView = actionView({
  record: softCancelAction,
  Icon: Ban,
  label: 'adminOperations:softCancel',
  group: 'soft',
  perform: ({ operation_id }) => call(softCancel, { params: { id: String(operation_id) } }),
  resultText: operationText,
});
