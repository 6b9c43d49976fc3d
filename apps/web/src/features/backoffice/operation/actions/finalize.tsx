import { finalizeAction, finalizePayment } from '@fpay/contract/admin/actions/finalize';
import CheckCheck from 'lucide-react/icons/check-check';
import { call } from '../../../../api/call.ts';
import { SumField } from '../action-fields.tsx';
import { paymentText } from '../action-texts.ts';
import { actionView } from '../action-view.ts';
import { orderAmount } from '../order.ts';

export const finalizeView = actionView({
  record: finalizeAction,
  Icon: CheckCheck,
  label: 'adminOperations:finalize',
  group: 'payment',
  Fields: SumField,
  requestOf(form) {
    const amount = orderAmount(form);
    return amount === null ? null : { action: 'finalize', amount };
  },
  perform: ({ payment_id }, { amount }, { reason }) =>
    call(finalizePayment, { params: { paymentId: String(payment_id) }, body: { amount, reason } }),
  resultText: paymentText,
});
