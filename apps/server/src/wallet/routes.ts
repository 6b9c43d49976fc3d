import {
  balanceTransactions,
  cancelBalanceTransaction,
  decreaseBalance,
  dissolveWallet,
  giftBalance,
  giftRecipient,
  increaseBalance,
  shareWallet,
} from '@fpay/contract/wallet';
import type { Routes } from '../platform/http/routes.ts';
import type { Gifts } from './gift.ts';
import type { GiftProbes } from './gift-probes.ts';
import type { WalletService } from './service.ts';
import type { SharedWallets } from './shared-wallet.ts';
import type { StaffMoneyService } from './staff.ts';

interface Dependencies {
  wallet: WalletService;
  gifts: Gifts;
  giftProbes: GiftProbes;
  staffMoney: StaffMoneyService;
  sharedWallets: SharedWallets;
}

export function walletRoutes(
  routes: Routes,
  { wallet, gifts, giftProbes, staffMoney, sharedWallets }: Dependencies,
): void {
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

  routes.on(increaseBalance, ({ viewer, body, requestKey }) =>
    staffMoney.give({ staff: viewer.id, user: body.user_id, amount: body.amount, requestKey }),
  );

  routes.on(decreaseBalance, ({ viewer, body, requestKey }) =>
    staffMoney.take({ staff: viewer.id, user: body.user_id, amount: body.amount, requestKey }),
  );

  routes.on(cancelBalanceTransaction, ({ viewer, body, requestKey }) =>
    staffMoney.cancelTransaction({
      staff: viewer.id,
      transaction: body.id,
      cancelPayment: body.cancel_payment,
      allowPartial: body.allow_partial,
      requestKey,
    }),
  );

  routes.on(shareWallet, ({ viewer, body }) => sharedWallets.share(viewer.id, body.owner_id, body.user_ids));
  routes.on(dissolveWallet, ({ viewer, body }) => sharedWallets.dissolve(viewer.id, body.owner_id));
}
