import { currency } from '@fpay/contract/money';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { BankApi, BankHint, BankNotification } from '../bank.ts';
import { bankTerms } from '../bank-terms.ts';
import type { Banks } from '../banks.ts';
import { paymentInReference, type SavedCardPayment } from '../cards/saved-card-payment.ts';
import { isStale } from '../payment.ts';
import type { Payment } from '../payment-row.ts';
import type { PaymentService } from '../service.ts';
import type { PaymentStore } from '../store.ts';

interface Dependencies {
  banks: Banks;
  payments: PaymentStore;
  savedCardPayment: Pick<SavedCardPayment, 'attach'>;
  service: Pick<PaymentService, 'lookNow'>;
  registry: Registry;
  log: Logger;
}

export type WebhookOutcome = 'taken' | 'forged' | 'unreadable' | 'unknown_invoice' | 'wrong_amount' | 'stale';

/**
 * The bank's notifications. A genuine one is only a hint to read the status with our own token. The route has neither
 * the signature nor the session of the contract, and the raw bytes are signed, so nothing may parse them before.
 */
export function webhookRoute(app: FastifyInstance, dependencies: Dependencies): void {
  const { banks, payments, savedCardPayment, service, registry, log } = dependencies;
  const counted = new Counter({
    name: 'fpay_bank_webhooks_total',
    help: 'Notifications of the bank, by what became of them',
    labelNames: ['outcome'],
    registers: [registry],
  });

  /** A payment with a saved card whose answer was lost: the notification is the first to name its invoice. */
  async function unanswered({ reference }: BankHint): Promise<Payment | null> {
    const id = paymentInReference(reference);
    const payment = id === null ? null : await payments.find(id);
    return payment?.cardAskedAt && payment.invoice === null ? payment : null;
  }

  async function take(bank: BankApi, notification: BankNotification): Promise<WebhookOutcome> {
    const hint = await bank.hint(notification);
    if (typeof hint === 'string') return hint;
    const payment = (await payments.byInvoice(hint.invoice)) ?? (await unanswered(hint));
    if (payment?.provider !== bank.provider) return 'unknown_invoice';
    if (hint.amount !== payment.amount || hint.currency !== currency.isoNumber) return 'wrong_amount';
    if (payment.invoice === null) await savedCardPayment.attach(payment.id, { invoice: hint.invoice, pageUrl: null });
    if (isStale(payment.bankModifiedAt, hint)) return 'stale';
    await service.lookNow(payment.id);
    return 'taken';
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const bank of banks.all) {
      scope.post(bankTerms[bank.provider].notificationPath, async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const outcome = await take(bank, { body, headers: request.headers });
        counted.inc({ outcome });
        if (outcome !== 'taken') log.warn({ bank: bank.provider, outcome, bytes: body.length }, 'webhook ignored');
        // Only a forgery is refused; any other need not be sent again, and the bank accepts no other answer than 200.
        return reply.code(outcome === 'forged' ? 403 : 200).send({});
      });
    }
  });
}
