import type { Kopecks } from '@fpay/contract/money';
import type { Step } from '../platform/step.ts';
import type { WalletService } from '../wallet/service.ts';
import { network } from '../wallet/transfer.ts';
import type { Payment } from './store.ts';

/** Energy was delivered and its price will never come: revenue shows it as earned, losses as what it cost us. */
export async function bookLoss(step: Step, wallet: WalletService, payment: Payment, lost: Kopecks): Promise<void> {
  const operation = payment.operation === null ? {} : { operation: payment.operation };
  await wallet.transfer(step, [
    {
      key: `payment:${payment.id}:lost`,
      kind: 'lost',
      from: network.losses,
      to: network.revenue,
      amount: lost,
      payment: payment.id,
      ...operation,
    },
  ]);
}
