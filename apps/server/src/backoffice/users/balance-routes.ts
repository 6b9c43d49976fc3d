import { previewBalance, previewReversal } from '@fpay/contract/admin/balance';
import type { BodyOf } from '@fpay/contract/endpoint';
import {
  cancelBalanceTransaction,
  decreaseBalance,
  dissolveWallet,
  increaseBalance,
  shareWallet,
} from '@fpay/contract/wallet';
import type { Routes } from '../../platform/http/routes.ts';
import type { SharedWallets } from '../../wallet/shared-wallet.ts';
import type { StaffMoneyService } from '../../wallet/staff.ts';

export interface BalanceParts {
  staffMoney: Pick<StaffMoneyService, 'give' | 'take' | 'cancelTransaction' | 'preview' | 'previewCancel'>;
  sharedWallets: SharedWallets;
}

const orderOf = ({ user_id: user, amount, reason }: BodyOf<typeof increaseBalance>) => ({
  user,
  amount,
  reason: reason ?? null,
});

export function balanceRoutes(routes: Routes, { staffMoney, sharedWallets }: BalanceParts): void {
  routes.on(increaseBalance, ({ viewer, body, requestKey }) =>
    staffMoney.give({ staff: viewer.id, ...orderOf(body), requestKey }),
  );
  routes.on(decreaseBalance, ({ viewer, body, requestKey }) =>
    staffMoney.take({ staff: viewer.id, ...orderOf(body), requestKey }),
  );
  routes.on(cancelBalanceTransaction, ({ viewer, body, requestKey }) =>
    staffMoney.cancelTransaction({
      staff: viewer.id,
      transaction: body.id,
      cancelPayment: body.cancel_payment,
      allowPartial: body.allow_partial,
      reason: body.reason ?? null,
      requestKey,
    }),
  );
  routes.on(previewBalance, ({ viewer, body }) => {
    const money = { staff: viewer.id, user: body.user_id, amount: body.amount };
    return staffMoney.preview(body.action === 'give' ? 'increase' : 'decrease', money);
  });
  routes.on(previewReversal, ({ viewer, body }) => {
    const { id: transaction, cancel_payment: cancelPayment, allow_partial: allowPartial } = body;
    return staffMoney.previewCancel({ staff: viewer.id, transaction, cancelPayment, allowPartial });
  });

  routes.on(shareWallet, ({ viewer, body }) => sharedWallets.share(viewer.id, body.owner_id, body.user_ids));
  routes.on(dissolveWallet, ({ viewer, body }) => sharedWallets.dissolve(viewer.id, body.owner_id));
}
