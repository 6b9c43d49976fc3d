import { type Selectable, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { BankExchanges } from '../platform/generated/database.ts';
import { dropExpiredMonths } from '../platform/rows/partitions.ts';
import type { Exchange } from './bank.ts';

/** Every exchange with the bank, found again by payment. Recording never fails its caller. */
export interface Exchanges {
  record(exchange: Exchange): Promise<void>;
  of(payment: number): Promise<Selectable<BankExchanges>[]>;
  /** The same in short, for the log of the operation. */
  linesOf(payment: number): Promise<{ at: Date; actor: string; text: string }[]>;
  /** Drops the months of exchanges that are older than this; payments and refunds keep their outcome. */
  forget(keptMonths: number): Promise<void>;
}

/** Stores every exchange with the bank by payment, for staff who must know which side sent what and when. */
export function createExchanges(db: Database, clock: Clock, log: Logger): Exchanges {
  return {
    async record(exchange: Exchange): Promise<void> {
      const { call, invoice, reference, request, httpStatus, answer, failure, tookMs } = exchange;
      const ours = /^FPAY-(\d{1,15})$/.exec(reference ?? '')?.[1] ?? null;
      try {
        await db
          .insertInto('bank_exchanges')
          .values({
            payment_id: sql<
              number | null
            >`coalesce(${ours}::bigint, (select id from payments where invoice_id = ${invoice}))`,
            invoice_id: invoice,
            call,
            request: request === null ? null : JSON.stringify(request),
            http_status: httpStatus,
            answer: answer === null ? null : JSON.stringify(answer),
            failure,
            took_ms: tookMs,
            created_at: clock.now(),
          })
          .execute();
      } catch (error) {
        // The exchange itself succeeded: its outcome counts, whether or not it was stored.
        log.error({ err: error, call, invoice }, 'bank exchange unrecorded');
      }
    },

    of: (payment: number) =>
      db.selectFrom('bank_exchanges').selectAll().where('payment_id', '=', payment).orderBy('id').execute(),

    async linesOf(payment: number) {
      const rows = await db
        .selectFrom('bank_exchanges')
        .select(['created_at as at', 'call', 'http_status', 'failure'])
        .select(sql<string | null>`answer->>'status'`.as('status'))
        .where('payment_id', '=', payment)
        .orderBy('id')
        .execute();
      return rows.map(({ at, call, http_status, failure, status }) => ({
        at,
        actor: 'bank',
        text: [call, 'answered', http_status ?? failure, status].filter((part) => part !== null).join(' '),
      }));
    },

    async forget(keptMonths: number) {
      const dropped = await dropExpiredMonths(db, 'bank_exchanges', { months: keptMonths });
      if (dropped.length > 0) log.info({ dropped }, 'bank exchanges removed');
    },
  };
}
