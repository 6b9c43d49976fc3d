import { cancelHold, cancelPayment, finalizePayment, paymentInfo } from '@fpay/contract/payments';
import type { PaymentStaffActions } from '../../payments/staff.ts';
import type { Routes } from '../../platform/http/routes.ts';

export function paymentStaffRoutes(routes: Routes, payments: PaymentStaffActions): void {
  routes.on(paymentInfo, ({ params }) => payments.info(params.paymentId));
  routes.on(finalizePayment, ({ viewer, params, body, requestKey }) =>
    payments.finalize({ staff: viewer.id, payment: params.paymentId, requestKey }, body.amount),
  );
  routes.on(cancelHold, ({ viewer, params, requestKey }) =>
    payments.cancelHold({ staff: viewer.id, payment: params.paymentId, requestKey }),
  );
  routes.on(cancelPayment, ({ viewer, params, body, requestKey }) =>
    payments.cancelPayment({ staff: viewer.id, payment: params.paymentId, requestKey }, body.amount),
  );
}
