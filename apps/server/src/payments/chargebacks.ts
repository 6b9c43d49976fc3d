import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Step } from '../platform/step.ts';
import type { WalletStore } from '../wallet/ledger.ts';
import type { WalletService } from '../wallet/service.ts';
import { type AccountId, accountId, network } from '../wallet/transfer.ts';
import type { Anomalies } from './anomalies.ts';
import type { Settlement } from './settlement.ts';
import type { Payment } from './store.ts';

interface Dependencies {
  ledger: WalletStore;
  wallet: WalletService;
  anomalies: Anomalies;
  settlement: Settlement;
}

interface Chargeback {
  amount: Kopecks;
  /** The sum of earlier chargebacks of this payment, so that each one has its own keys. */
  booked: number;
}

/** Books captured money that was returned to the card without our request, and decides which account pays for it. */
export function createChargebacks({ ledger, wallet, anomalies, settlement }: Dependencies) {
  /** For a charge: what was owed for it is a loss; the rest had not been earned. */
  async function sourceOfCharge(step: Step, payment: Payment, amount: Kopecks) {
    const lost = await settlement.owedPart(step, payment, amount);
    return { from: network.revenue, taken: amount - lost };
  }

  /** For a top-up: the wallet pays as much as it has. */
  async function sourceOfTopUp(step: Step, payment: Payment, amount: Kopecks) {
    const from = accountId(payment.wallet ?? 0);
    const balance = (await ledger.lock(step, [from])).get(from) ?? 0;
    return { from, taken: Math.min(balance, amount) };
  }

  return {
    async book(step: Step, payment: Payment, { amount, booked }: Chargeback): Promise<void> {
      const isTopUp = payment.purpose === 'top_up';
      const { from, taken } = await (isTopUp ? sourceOfTopUp : sourceOfCharge)(step, payment, amount);
      const lost = amount - taken;
      const key = `payment:${payment.id}:chargeback:${booked + amount}`;
      const part = (source: AccountId, name: string, sum: number) => ({
        key: name,
        kind: 'chargeback' as const,
        from: source,
        to: network.clearing,
        amount: kopecks(sum),
        payment: payment.id,
        ...(payment.operation === null ? {} : { operation: payment.operation }),
      });
      const parts = [part(from, `${key}:taken`, taken), part(network.losses, key, lost)];
      await wallet.transfer(
        step,
        parts.filter((transfer) => transfer.amount > 0),
      );
      if (!isTopUp) return;
      // Staff decide about a user who spends money and then takes it back.
      const subject = `${payment.id}:${booked + amount}`;
      const details = { user: payment.user, amount, taken, lost };
      await anomalies.note(step, { kind: 'top_up_chargeback', subject, payment: payment.id, details });
    },
  };
}

export type Chargebacks = ReturnType<typeof createChargebacks>;
