import { removeSavedCard, savedCards } from '@fpay/contract/cards';
import { buyBalance, lastTopUp } from '@fpay/contract/wallet';
import type { Routes } from '../platform/http/routes.ts';
import type { SavedCards } from './cards/saved-cards.ts';
import type { TopUps } from './top-up.ts';

export function paymentRoutes(routes: Routes, { topUps, cards }: { topUps: TopUps; cards: SavedCards }): void {
  routes.on(buyBalance, ({ viewer, body, requestKey }) =>
    topUps.buy({
      user: viewer.id,
      amount: body.amount,
      redirectTo: body.redirect_to,
      card: body.card ?? null,
      savesCard: body.save_card ?? false,
      requestKey,
    }),
  );

  routes.on(lastTopUp, ({ viewer }) => topUps.last(viewer.id));

  routes.on(savedCards, ({ viewer }) => cards.of(viewer.id));
  routes.on(removeSavedCard, async ({ viewer, params }) => {
    await cards.remove(viewer.id, params.id);
    return undefined;
  });
}
