import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { kyivDate, kyivDayStart } from '../../platform/kyiv-time.ts';
import { runParts } from '../../platform/parts.ts';
import type { RowLoops } from '../../platform/rows/row-loops.ts';
import type { Steps } from '../../platform/step.ts';
import type { WalletStore } from '../../wallet/ledger.ts';
import type { WalletService } from '../../wallet/service.ts';
import { network } from '../../wallet/transfer.ts';
import type { Anomalies } from '../anomalies.ts';
import type { BankAnswer, StatementLine } from '../bank.ts';
import type { Provider } from '../bank-terms.ts';
import type { Banks } from '../banks.ts';
import { paymentInReference, type SavedCardPayment } from '../cards/saved-card-payment.ts';
import { isPaymentOver } from '../payment.ts';
import type { Payment } from '../payment-row.ts';
import type { PaymentStore } from '../store.ts';

interface Dependencies {
  db: Database;
  payments: PaymentStore;
  banks: Banks;
  ledger: WalletStore;
  wallet: WalletService;
  anomalies: Anomalies;
  steps: Steps;
  rows: RowLoops;
  clock: Clock;
  log: Logger;
  savedCardPayment: Pick<SavedCardPayment, 'attach'>;
  lookNow: (payment: number) => Promise<void>;
}

interface Overridden {
  id: number;
  provider: Provider;
  invoice_id: string;
}

const invoiceOf = ({ invoice }: StatementLine) => invoice;
const paymentOf = ({ id }: { id: number }) => id;

const dayMs = 24 * 60 * 60_000;
/** What closed within the last minutes may be in only one of the two books, and around midnight in different days. */
const freshMs = 10 * 60_000;
/** Each comparison of the day covers the hour of the one before too, so that one that fails leaves no hole. */
const dayWindowMs = 2 * 60 * 60_000;
/** Payments whose status staff forced, the newest: the bank keeps a hold for 9 days. */
const overriddenMs = 30 * dayMs;
const mostOverridden = 200;
/** A night without a statement from the bank is repeated in one of the next. */
const nightsBack = 3;

export interface Reconciliation {
  day: string;
  lines: number;
  anomalies: number;
}

export interface ReconciliationJobs {
  /** The statement of one day, that of `at` in Kyiv time. */
  reconcile(at: Date): Promise<Reconciliation>;
  /** During the day: what the bank has moved in the last hours, and payments whose status staff forced, whatever their age. */
  compareLately(): Promise<{ lines: number; anomalies: number }>;
  /** The last days, the oldest first. What was found before is neither listed nor booked again. */
  reconcileLately(): Promise<void>;
}

/**
 * Every night: compares the bank's statement of a day with our payments, and its sums with the clearing account. Every hour: compares
 * what has changed since, so that a difference does not wait for the night.
 * Differences become anomalies for staff; payments that only the bank has are polled at once.
 */
export function createReconciliation(dependencies: Dependencies): ReconciliationJobs {
  const { db, payments, banks, ledger, wallet, anomalies, steps, clock, log, savedCardPayment, lookNow } = dependencies;
  const loops = dependencies.rows;

  /** Of all banks; a bank that gives none fails the comparison, which is repeated. */
  async function statement(from: Date, to: Date): Promise<BankAnswer<StatementLine[]>> {
    const lines: StatementLine[] = [];
    for (const bank of banks.all) {
      const answer = await bank.statement(from, to);
      if (answer.kind !== 'done') return answer;
      lines.push(...answer.value);
    }
    return { kind: 'done', value: lines };
  }

  async function fault(payment: Payment | null, line: StatementLine): Promise<Parameters<Anomalies['note']>[1] | null> {
    // Declined, or not decided yet: no money was moved.
    if (line.status === 'other') return null;
    const details = { invoice: line.invoice, reference: line.reference, amount: line.amount, status: line.status };
    if (!payment) {
      return { kind: line.status === 'hold' ? 'orphan_hold' : 'orphan_payment', subject: line.invoice, details };
    }
    const about = { subject: line.invoice, payment: payment.id, details: { ...details, ours: payment.state } };
    if (line.status === 'hold') {
      return isPaymentOver(payment.state) ? { kind: 'orphan_hold', ...about } : null;
    }
    if (payment.captured === 0) return { kind: 'missing_capture', ...about };
    const isSame = line.amount === payment.captured && line.returned === payment.refunded;
    const differing = {
      ...about.details,
      captured: payment.captured,
      refunded: payment.refunded,
      returned: line.returned,
    };
    return isSame ? null : { kind: 'amount_mismatch', ...about, details: differing };
  }

  /** The bank's fee for a payment leaves clearing, so that clearing equals what the bank will pay out. */
  async function bookFee(payment: Payment, fee: number): Promise<void> {
    const key = `payment:${payment.id}:fee`;
    const amount = kopecks(fee);
    await steps.run(async (step) => {
      // A payment with a return is in the statement again, perhaps with another fee; the first fee stays.
      if (await ledger.isMade(step, key)) return;
      await wallet.transfer(step, [
        { key, kind: 'fee', from: network.fees, to: network.clearing, amount, payment: payment.id },
      ]);
    });
  }

  /** Payments that our books captured in the period and the statement does not have. */
  async function absent(from: Date, to: Date, known: Set<string>): Promise<{ id: number; invoice: string }[]> {
    const rows = await db
      .selectFrom('payments')
      .innerJoin('transfers', 'transfers.payment_id', 'payments.id')
      .select(['payments.id', 'payments.invoice_id'])
      .where('transfers.kind', 'in', ['capture', 'deposit'])
      .where('transfers.created_at', '>=', from)
      .where('transfers.created_at', '<', new Date(Math.min(to.getTime(), clock.now().getTime() - freshMs)))
      .execute();
    return rows
      .map((row) => ({ id: row.id, invoice: row.invoice_id ?? '' }))
      .filter(({ invoice }) => !known.has(invoice));
  }

  async function clearingOf(invoices: readonly string[]): Promise<number> {
    if (invoices.length === 0) return 0;
    const { rows } = await sql<{ net: number }>`
      select coalesce(sum(case when t.from_account = ${network.clearing} then t.amount else -t.amount end), 0)::bigint as net
      from payments p join transfers t on t.payment_id = p.id
      where p.invoice_id = any (${invoices}) and t.kind <> 'fee'
        and (t.from_account = ${network.clearing} or t.to_account = ${network.clearing})`.execute(db);
    return rows[0]?.net ?? 0;
  }

  /** A saved card was charged and we never got the answer: the payment gets its invoice, and unwanted money goes back. */
  async function attachLost({ reference, invoice }: StatementLine): Promise<void> {
    const id = paymentInReference(reference);
    const payment = id === null ? null : await payments.find(id);
    if (!payment?.cardAskedAt || payment.invoice !== null) return;
    await savedCardPayment.attach(payment.id, { invoice, pageUrl: null });
  }

  /** Lists what differs, and reads the bank's status of a payment that does. */
  async function compare(line: StatementLine): Promise<{ payment: Payment | null; isFault: boolean }> {
    await attachLost(line);
    const payment = await payments.byInvoice(line.invoice);
    const anomaly = await fault(payment, line);
    if (anomaly) await anomalies.note({ db }, anomaly);
    if (anomaly && payment) await lookNow(payment.id);
    return { payment, isFault: anomaly !== null };
  }

  /** Nothing moves with a forced status, so the bank may have another one for as long as it has the money. */
  async function compareOverridden({ id, provider, invoice_id: invoice }: Overridden): Promise<boolean> {
    const answer = await banks.of({ provider }).invoiceStatus(invoice);
    const payment = await payments.find(id);
    if (answer.kind !== 'done' || !payment?.isOverridden) return false;
    const { status: said, amount: asked, finalAmount, returns } = answer.value;
    const status = said === 'hold' || said === 'success' ? said : 'other';
    const returned = returns.reduce((sum, one) => sum + (one.status === 'success' ? (one.amount ?? 0) : 0), 0);
    const amount = status === 'success' ? (finalAmount ?? asked) + returned : asked;
    const line = { invoice, reference: null, status, amount, fee: null, at: clock.now(), returned } as const;
    const details = { invoice, amount: payment.amount, status: said, ours: payment.state };
    const isUnpaid = status === 'other' && payment.state === 'success';
    const anomaly = isUnpaid
      ? ({ kind: 'not_in_statement', subject: invoice, payment: id, details } as const)
      : await fault(payment, line);
    if (anomaly) await anomalies.note({ db }, anomaly);
    return anomaly !== null;
  }

  async function compareLately(): Promise<{ lines: number; anomalies: number }> {
    const now = clock.now();
    const [from, to] = [new Date(now.getTime() - dayWindowMs), new Date(now.getTime() - freshMs)];
    let found = 0;
    const overridden = await db
      .selectFrom('payments')
      .select(['id', 'provider', 'invoice_id'])
      .where('is_overridden', '=', true)
      .where('invoice_id', 'is not', null)
      .where('created_at', '>', new Date(now.getTime() - overriddenMs))
      .orderBy('id', 'desc')
      .limit(mostOverridden)
      .$narrowType<{ provider: Provider; invoice_id: string }>()
      .execute();
    await loops.each('reconciliation.overridden', overridden, paymentOf, async (row) => {
      if (await compareOverridden(row)) found += 1;
    });
    const answer = await statement(from, now);
    if (answer.kind !== 'done') throw new Error(`the bank gave no statement of the last hours: ${answer.reason}`);
    const settled = answer.value.filter(({ at }) => at < to);
    await loops.each('reconciliation.line', settled, invoiceOf, async (line) => {
      if ((await compare(line)).isFault) found += 1;
    });
    const lacking = await absent(new Date(from.getTime() + freshMs), to, new Set(answer.value.map(invoiceOf)));
    await loops.each('reconciliation.absent', lacking, paymentOf, async ({ id, invoice }) => {
      found += 1;
      const details = { invoice, day: kyivDate(now) };
      await anomalies.note({ db }, { kind: 'not_in_statement', subject: invoice || String(id), payment: id, details });
    });
    log.info(
      { lines: settled.length, overridden: overridden.length, anomalies: found },
      'bank compared during the day',
    );
    return { lines: settled.length, anomalies: found };
  }

  async function reconcile(at: Date): Promise<Reconciliation> {
    const from = kyivDayStart(at);
    // A day has 23 to 25 hours, so 26 hours after its start are in the next one.
    const to = kyivDayStart(new Date(from.getTime() + 26 * 60 * 60_000));
    const day = kyivDate(from);
    const answer = await statement(new Date(from.getTime() - freshMs), new Date(to.getTime() + freshMs));
    if (answer.kind !== 'done') throw new Error(`the bank gave no statement for ${day}: ${answer.reason}`);
    let found = 0;
    const note = async (anomaly: Parameters<Anomalies['note']>[1]) => {
      found += 1;
      await anomalies.note({ db }, anomaly);
    };

    let fees = 0;
    const lines = answer.value;
    await loops.each('reconciliation.line', lines, invoiceOf, async (line) => {
      const { payment, isFault } = await compare(line);
      if (isFault) found += 1;
      if (payment && line.fee !== null && line.fee > 0 && payment.captured > 0) {
        if (line.at >= from && line.at < to) fees += line.fee;
        await bookFee(payment, line.fee);
      }
    });
    const lacking = await absent(from, to, new Set(lines.map((line) => line.invoice)));
    await loops.each('reconciliation.absent', lacking, paymentOf, ({ id, invoice }) =>
      note({ kind: 'not_in_statement', subject: invoice || String(id), payment: id, details: { invoice, day } }),
    );
    if (fees > 0) await note({ kind: 'bank_fee', subject: day, details: { day, amount: fees } });

    const paid = lines.filter((line) => line.status === 'success');
    const said = paid.reduce((sum, line) => sum + line.amount - line.returned, 0);
    const booked = await clearingOf(paid.map((line) => line.invoice));
    if (said !== booked)
      await note({ kind: 'clearing_mismatch', subject: day, details: { day, statement: said, booked } });
    log.info({ day, lines: lines.length, anomalies: found }, 'bank statement compared');
    return { day, lines: lines.length, anomalies: found };
  }

  return {
    reconcile,
    compareLately,

    async reconcileLately(): Promise<void> {
      const now = clock.now().getTime();
      const nights = Array.from({ length: nightsBack }, (_, index) => new Date(now - (nightsBack - index) * dayMs));
      await runParts(nights.map((night) => ({ name: kyivDate(night), run: () => reconcile(night) })));
    },
  };
}
