import { removeSavedCard, savedCards } from '@fpay/contract/cards';
import { cancelHold, cancelPayment, finalizePayment, paymentInfo } from '@fpay/contract/payments';
import { buyBalance, lastTopUp } from '@fpay/contract/wallet';
import type { Routes } from '../platform/http/routes.ts';
import type { SavedCards } from './saved-cards.ts';
import type { PaymentStaffActions } from './staff.ts';
import type { TopUps } from './top-up.ts';

export function paymentRoutes(
  routes: Routes,
  { topUps, staffActions, cards }: { topUps: TopUps; staffActions: PaymentStaffActions; cards: SavedCards },
): void {
  routes.on(buyBalance, ({ viewer, body, requestKey }) =>
    topUps.buy({ user: viewer.id, amount: body.amount, redirectTo: body.redirect_to, requestKey }),
  );

  routes.on(lastTopUp, ({ viewer }) => topUps.last(viewer.id));

  routes.on(savedCards, ({ viewer }) => cards.of(viewer.id));
  routes.on(removeSavedCard, async ({ viewer, params }) => {
    await cards.remove(viewer.id, params.id);
    return undefined;
  });

  routes.on(paymentInfo, ({ params }) => staffActions.info(params.paymentId));
  routes.on(finalizePayment, ({ viewer, params, body, requestKey }) =>
    staffActions.finalize({ staff: viewer.id, payment: params.paymentId, requestKey }, body.amount),
  );
  routes.on(cancelHold, ({ viewer, params, requestKey }) =>
    staffActions.cancelHold({ staff: viewer.id, payment: params.paymentId, requestKey }),
  );
  routes.on(cancelPayment, ({ viewer, params, body, requestKey }) =>
    staffActions.cancelPayment({ staff: viewer.id, payment: params.paymentId, requestKey }, body.amount),
  );
}
