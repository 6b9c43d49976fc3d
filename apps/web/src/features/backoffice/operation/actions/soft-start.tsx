import { softStart, softStartAction } from '@fpay/contract/admin/actions/soft-start';
import Play from 'lucide-react/icons/play';
import { call } from '../../../../api/call.ts';
import { operationText } from '../action-texts.ts';
import { actionView } from '../action-view.ts';

export const softStartView = actionView({
  record: softStartAction,
  Icon: Play,
  label: 'adminOperations:softStart',
  group: 'soft',
  perform: ({ operation_id }) => call(softStart, { params: { id: String(operation_id) } }),
  resultText: operationText,
});
