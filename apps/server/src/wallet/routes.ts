import { balanceTransactions, giftBalance, giftRecipient } from '@fpay/contract/wallet';
import type { Routes } from '../platform/http/routes.ts';
import type { Gifts } from './gift.ts';
import type { GiftProbes } from './gift-probes.ts';
import type { WalletService } from './service.ts';

interface Dependencies {
  wallet: WalletService;
  gifts: Gifts;
  giftProbes: GiftProbes;
}

export function walletRoutes(routes: Routes, { wallet, gifts, giftProbes }: Dependencies): void {
  routes.on(balanceTransactions, ({ viewer, query }) => wallet.transactions(viewer.id, query));

  routes.on(giftBalance, ({ viewer, body, device, requestKey }) =>
    giftProbes.guard({ user: viewer.id, address: device.ip }, () =>
      gifts.give({ sender: viewer.id, to: body.to, amount: body.amount, requestKey }),
    ),
  );

  routes.on(giftRecipient, async ({ viewer, body, device }) => {
    await giftProbes.count({ user: viewer.id, address: device.ip });
    return gifts.recipientName({ sender: viewer.id, to: body.to });
  });
}
