import { cancelHold, cancelHoldAction } from '@fpay/contract/admin/actions/cancel-hold';
import LockOpen from 'lucide-react/icons/lock-open';
import { call } from '../../../../api/call.ts';
import { paymentText } from '../action-texts.ts';
import { actionView } from '../action-view.ts';

export const cancelHoldView = actionView({
  record: cancelHoldAction,
  Icon: LockOpen,
  label: 'adminOperations:cancelHold',
  group: 'payment',
  perform: ({ payment_id }, _, { reason }) =>
    call(cancelHold, { params: { paymentId: String(payment_id) }, body: { reason } }),
  resultText: paymentText,
});
