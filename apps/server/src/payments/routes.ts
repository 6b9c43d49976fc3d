import { buyBalance, lastTopUp } from '@fpay/contract/wallet';
import type { Routes } from '../platform/http/routes.ts';
import type { TopUps } from './top-up.ts';

export function paymentRoutes(routes: Routes, topUps: TopUps): void {
  routes.on(buyBalance, ({ viewer, body, requestKey }) =>
    topUps.buy({ user: viewer.id, amount: body.amount, redirectTo: body.redirect_to, requestKey }),
  );

  routes.on(lastTopUp, ({ viewer }) => topUps.last(viewer.id));
}
