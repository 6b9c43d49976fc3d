import { softStop, softStopAction } from '@fpay/contract/admin/actions/soft-stop';
import Square from 'lucide-react/icons/square';
import { call } from '../../../../api/call.ts';
import { operationText } from '../action-texts.ts';
import { actionView } from '../action-view.ts';

export const softStopView = actionView({
  record: softStopAction,
  Icon: Square,
  label: 'adminOperations:softStop',
  group: 'soft',
  perform: ({ operation_id }) => call(softStop, { params: { id: String(operation_id) } }),
  resultText: operationText,
});
