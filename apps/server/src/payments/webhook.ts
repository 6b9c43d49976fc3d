import { currency } from '@fpay/contract/money';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { BankApi } from './bank.ts';
import { isStale } from './payment.ts';
import type { PaymentStore } from './payment-store.ts';
import type { PaymentService } from './service.ts';

export const webhookPath = '/webhooks/monobank';

interface Dependencies {
  bank: BankApi;
  payments: PaymentStore;
  service: Pick<PaymentService, 'lookNow'>;
  registry: Registry;
  log: Logger;
}

export type WebhookOutcome = 'taken' | 'forged' | 'unreadable' | 'unknown_invoice' | 'wrong_amount' | 'stale';

/**
 * The bank's notifications. A genuine one is only a hint to read the status with our own token. The route has neither
 * the signature nor the session of the contract, and the raw bytes are signed, so nothing may parse them before.
 */
export function webhookRoute(app: FastifyInstance, { bank, payments, service, registry, log }: Dependencies): void {
  const counted = new Counter({
    name: 'fpay_bank_webhooks_total',
    help: 'Notifications of the bank, by what became of them',
    labelNames: ['outcome'],
    registers: [registry],
  });

  async function take(body: Buffer, signature: string | undefined): Promise<WebhookOutcome> {
    const hint = await bank.hint(body, signature);
    if (typeof hint === 'string') return hint;
    const payment = await payments.byInvoice(hint.invoice);
    if (!payment) return 'unknown_invoice';
    if (hint.amount !== payment.amount || hint.currency !== currency.isoNumber) return 'wrong_amount';
    if (isStale(payment.bankModifiedAt, hint)) return 'stale';
    await service.lookNow(payment.id);
    return 'taken';
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(webhookPath, async (request, reply) => {
      const signature = request.headers['x-sign'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const outcome = await take(body, typeof signature === 'string' ? signature : undefined);
      counted.inc({ outcome });
      if (outcome !== 'taken') log.warn({ outcome, bytes: body.length }, 'webhook ignored');
      // Only a forgery is refused; any other need not be sent again, and the bank accepts no other answer than 200.
      return reply.code(outcome === 'forged' ? 403 : 200).send({});
    });
  });
}
