import type { Kopecks } from '@fpay/contract/money';
import { paymentStatusOf } from '@fpay/contract/payments';
import type { lastTopUp } from '@fpay/contract/wallet';
import type * as z from 'zod/mini';
import type { Clock } from '../platform/clock.ts';
import { defaultLeaseMs } from '../platform/jobs/due-work.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { WalletStore } from '../wallet/ledger.ts';
import type { TopUpReversals } from '../wallet/staff.ts';
import type { SavedCards } from './cards/saved-cards.ts';
import { declineReasonOf } from './decline.ts';
import type { PaymentListeners } from './payment-listeners.ts';
import { topUpPurpose } from './purpose-texts.ts';
import type { PaymentService } from './service.ts';
import type { Refunds } from './settlement/refunds.ts';
import type { PaymentStore } from './store.ts';

/** Buying balance with a card, and returning it to the card. */
export interface TopUps extends TopUpReversals {
  /**
   * Opens a payment, once per request key, and returns the page to open next: the bank's, or our own where a saved card
   * pays without one.
   * @refuses invalid_input, user_not_found, too_many_attempts, bank_away, card_not_found, card_expired
   */
  buy(topUp: TopUp): Promise<{ page_url: string }>;
  /** The user's last top-up; null without one. */
  last(user: number): Promise<LastTopUp | null>;
}

interface Dependencies {
  payments: PaymentStore;
  service: PaymentService;
  refunds: Refunds;
  cards: Pick<SavedCards, 'choose'>;
  ledger: WalletStore;
  listeners: PaymentListeners;
  steps: Steps;
  clock: Clock;
  publicUrl: URL;
  limits: RateLimits;
}

const topUpsAnHour = { most: 10, windowMs: 60 * 60_000 };

type LastTopUp = NonNullable<z.infer<typeof lastTopUp.reply>>;

export interface TopUp {
  user: number;
  amount: Kopecks;
  /** Where the bank sends the driver afterwards, as the page gave it. */
  redirectTo: string;
  /** The saved card that pays; without it the driver pays at the bank's page. */
  card?: number | null;
  /** The driver agreed that the bank saves the card. */
  savesCard?: boolean;
  requestKey: string;
}

/** Money from a card into a wallet: a debit at the bank, credited when the bank confirms it. */
export function createTopUps(dependencies: Dependencies): TopUps {
  const { payments, service, refunds, cards, ledger, listeners, steps, clock, publicUrl, limits } = dependencies;

  return {
    async buy({
      user,
      amount,
      redirectTo,
      card = null,
      savesCard = false,
      requestKey,
    }: TopUp): Promise<{ page_url: string }> {
      const redirectUrl = ownPage(redirectTo, publicUrl);
      if (!redirectUrl)
        throw new Refusal('invalid_input', { fields: { redirect_to: ['The page must be one of ours.'] } });
      // Each one opens an invoice at the bank. A repeat of a request finds its own and is not counted again.
      if (!(await payments.byRequest(requestKey))) await limits.take({ key: `top-up:user:${user}`, ...topUpsAnHour });
      const payment = await steps.run(async (step) => {
        // A repeat after a crash continues with the existing payment.
        const opened = await payments.byRequest(requestKey, step.db);
        if (opened) return opened;
        const holder = await ledger.lockWalletUser(step, user);
        if (!holder) throw new Refusal('user_not_found');
        if (card !== null) await cards.choose(step, user, card);
        const added = await payments.add(step, {
          purpose: 'top_up',
          method: 'bank',
          operation: null,
          user,
          wallet: holder.wallet,
          reserveAccount: null,
          amount,
          description: topUpPurpose(holder.language),
          redirectUrl,
          requestKey,
          card,
          savesCard: card === null && savesCard,
          nextActionAt: new Date(clock.now().getTime() + defaultLeaseMs),
        });
        await listeners.notify(step, added);
        return added;
      });
      return { page_url: (await service.pageOf(payment.id)) ?? redirectUrl };
    },

    async last(user: number): Promise<LastTopUp | null> {
      const payment = await payments.lastTopUp(user);
      if (!payment) return null;
      return {
        amount: payment.amount,
        payment_status: paymentStatusOf[payment.holdStatus],
        // A saved card that waits for 3-D Secure is being processed already.
        page_url:
          payment.state === 'created' || (payment.card !== null && payment.state === 'processing')
            ? payment.pageUrl
            : null,
        decline_reason: payment.state === 'failure' ? declineReasonOf(payment.provider, payment.errorCode) : null,
        card: payment.maskedPan === null ? null : `*${payment.maskedPan.slice(-4)}`,
      };
    },

    /** For the wallet's staff calls, when a top-up is reversed. */
    async isBeingReturned(step: Step, payment: number): Promise<boolean> {
      await payments.lock(step, payment);
      return refunds.isUnderWay(step, payment);
    },

    async returnToCard(
      step: Step,
      { payment: id, amount, staff, reverses }: { payment: number; amount: Kopecks; staff: number; reverses: number },
    ): Promise<void> {
      const payment = await payments.lock(step, id);
      if (!payment) throw new Refusal('not_found');
      await refunds.ask(step, { payment, amount, staff, reverses });
    },
  };
}

/** A page of our own site, or null: the bank must never send a driver to another site. */
export function ownPage(typed: string, publicUrl: URL): string | null {
  // Browsers read a backslash as a slash and skip tabs and newlines; such an address only looks like ours.
  if (/[\\\s]/.test(typed)) return null;
  const url = URL.parse(typed, publicUrl.href);
  if (!url || url.origin !== publicUrl.origin || url.username || url.password) return null;
  return url.href;
}
