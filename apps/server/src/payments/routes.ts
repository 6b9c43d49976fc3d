import { cancelHold, cancelPayment, finalizePayment, paymentInfo } from '@fpay/contract/payments';
import { buyBalance, lastTopUp } from '@fpay/contract/wallet';
import type { Routes } from '../platform/http/routes.ts';
import type { PaymentDesk } from './staff.ts';
import type { TopUps } from './top-up.ts';

export function paymentRoutes(routes: Routes, { topUps, desk }: { topUps: TopUps; desk: PaymentDesk }): void {
  routes.on(buyBalance, ({ viewer, body, requestKey }) =>
    topUps.buy({ user: viewer.id, amount: body.amount, redirectTo: body.redirect_to, requestKey }),
  );

  routes.on(lastTopUp, ({ viewer }) => topUps.last(viewer.id));

  routes.on(paymentInfo, ({ params }) => desk.info(params.paymentId));
  routes.on(finalizePayment, ({ viewer, params, body, requestKey }) =>
    desk.finalize({ staff: viewer.id, payment: params.paymentId, requestKey }, body.amount),
  );
  routes.on(cancelHold, ({ viewer, params, requestKey }) =>
    desk.cancelHold({ staff: viewer.id, payment: params.paymentId, requestKey }),
  );
  routes.on(cancelPayment, ({ viewer, params, body, requestKey }) =>
    desk.cancelPayment({ staff: viewer.id, payment: params.paymentId, requestKey }, body.amount),
  );
}
