import { cancelPayment, cancelPaymentAction } from '@fpay/contract/admin/actions/cancel-payment';
import Undo2 from 'lucide-react/icons/undo-2';
import { call } from '../../../../api/call.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { SumField } from '../action-fields.tsx';
import { paymentText } from '../action-texts.ts';
import { actionView, type FieldsProps } from '../action-view.ts';
import { orderAmount } from '../order.ts';

export const cancelPaymentView = actionView({
  record: cancelPaymentAction,
  Icon: Undo2,
  label: 'adminOperations:cancelPayment',
  group: 'payment',
  isForced: true,
  Fields,
  requestOf(form) {
    // An empty field returns everything.
    if (form.amount.trim() === '') return { action: 'cancel_payment' };
    const amount = orderAmount(form);
    return amount === null ? null : { action: 'cancel_payment', amount };
  },
  perform: ({ payment_id }, { amount }, { reason }) =>
    call(cancelPayment, {
      params: { paymentId: String(payment_id) },
      body: { ...(amount !== undefined && { amount }), reason },
    }),
  resultText: paymentText,
});

function Fields(props: FieldsProps) {
  const text = useText();
  return <SumField {...props} hint={text('adminOperations:amountAll')} />;
}
