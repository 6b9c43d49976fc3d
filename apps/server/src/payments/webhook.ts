import { currency } from '@fpay/contract/money';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Bank } from './bank.ts';
import { isStale } from './payment.ts';
import type { PaymentService } from './service.ts';
import type { PaymentStore } from './store.ts';

export const webhookPath = '/webhooks/monobank';

interface Dependencies {
  bank: Bank;
  payments: PaymentStore;
  service: Pick<PaymentService, 'lookNow'>;
  registry: Registry;
  log: Logger;
}

export type WebhookOutcome = 'taken' | 'forged' | 'unreadable' | 'unknown_invoice' | 'wrong_amount' | 'stale';

/**
 * The bank's notifications: genuine ones are a hint to read the status with our own token, nothing more. Outside the
 * contract's signature and session; the raw bytes are what the bank signed, so nothing may parse them before.
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
      if (outcome !== 'taken') log.warn({ outcome, bytes: body.length }, 'a notification of the bank was put aside');
      // Only a forgery is told so; for the rest the bank need not come again, and 200 is the one answer it understands.
      return reply.code(outcome === 'forged' ? 403 : 200).send({});
    });
  });
}
