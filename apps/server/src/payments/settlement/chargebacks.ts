import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Step } from '../../platform/step.ts';
import type { WalletStore } from '../../wallet/ledger.ts';
import { lockParts } from '../../wallet/party-parts.ts';
import type { WalletService } from '../../wallet/service.ts';
import { type AccountId, accountId, network } from '../../wallet/transfer.ts';
import type { Anomalies } from '../anomalies.ts';
import type { Payment } from '../payment-row.ts';
import type { Earnings } from './earnings.ts';
import type { Settlement } from './settlement.ts';

interface Dependencies {
  ledger: WalletStore;
  wallet: WalletService;
  anomalies: Anomalies;
  settlement: Settlement;
  earnings: Pick<Earnings, 'chargeback'>;
}

interface Chargeback {
  amount: Kopecks;
  /** The sum of earlier chargebacks of this payment, so that each one has its own keys. */
  booked: number;
}

/** Books captured money that was returned to the card without our request, and decides which account pays for it. */
export function createChargebacks({ ledger, wallet, anomalies, settlement, earnings }: Dependencies) {
  /** For a charge: what was owed for it is a loss; the rest had not been earned. */
  async function bookCharge(step: Step, payment: Payment, key: string, amount: Kopecks): Promise<void> {
    const lost = await settlement.owedPart(step, payment, amount);
    await wallet.transfer(step, await earnings.chargeback(step, payment, { key, amount, taken: amount - lost }));
  }

  /** For a top-up: the wallet pays as much own money as it has, because money of a party never leaves it to a card. */
  async function bookTopUp(step: Step, payment: Payment, key: string, amount: Kopecks): Promise<number> {
    const from = accountId(payment.wallet ?? 0);
    const { own } = await lockParts(step, ledger, from);
    const taken = Math.min(own, amount);
    const part = (source: AccountId, name: string, sum: number) => ({
      key: name,
      kind: 'chargeback' as const,
      from: source,
      to: network.clearing,
      amount: kopecks(sum),
      payment: payment.id,
    });
    const parts = [part(from, `${key}:taken`, taken), part(network.losses, key, amount - taken)];
    await wallet.transfer(
      step,
      parts.filter((transfer) => transfer.amount > 0),
    );
    return taken;
  }

  return {
    async book(step: Step, payment: Payment, { amount, booked }: Chargeback): Promise<void> {
      const key = `payment:${payment.id}:chargeback:${booked + amount}`;
      if (payment.purpose === 'operation') return bookCharge(step, payment, key, amount);
      const taken = await bookTopUp(step, payment, key, amount);
      // Staff decide about a user who spends money and then takes it back.
      const subject = `${payment.id}:${booked + amount}`;
      const details = { user: payment.user, amount, taken, lost: amount - taken };
      await anomalies.note(step, { kind: 'top_up_chargeback', subject, payment: payment.id, details });
    },
  };
}

export type Chargebacks = ReturnType<typeof createChargebacks>;
