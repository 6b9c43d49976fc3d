import { askRefund } from '@fpay/contract/admin/ask-refund';
import Undo2 from 'lucide-react/icons/undo-2';
import { call } from '../../../../api/call.ts';
import { text } from '../../../../i18n/i18n.ts';
import type { ActionView } from '../action-view.ts';
import { orderAmount } from '../order.ts';
import { cancelPaymentView } from './cancel-payment.tsx';

/** For staff who may not refund: the same form and forecast, and the refund waits for somebody who may. */
export const askRefundView: ActionView = {
  ...cancelPaymentView,
  Icon: Undo2,
  label: 'adminOperations:askRefund',
  isForced: false,
  needs: 'manipulate-operations',
  async perform({ payment_id }, _, form) {
    const amount = orderAmount(form);
    const body = { ...(amount !== null && { amount }), reason: form.reason };
    await call(askRefund, { params: { paymentId: String(payment_id) }, body });
    return () => text('adminOperations:refundAsked');
  },
};
