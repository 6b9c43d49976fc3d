import { createHash } from 'node:crypto';
import { demo } from '../demo.ts';
import type { Cancel, Invoice } from './invoice.ts';
import { pdfOf } from './pdf.ts';
import { BankRefusal } from './refusal.ts';
import type { BankSwitchValues } from './switches.ts';
import { feeOf, wireDate } from './wire.ts';

/** Documents of a payment: receipt, fiscal checks, statement. All are generated from the invoices; none is stored. */

export function receiptOf(invoice: Invoice): Buffer {
  const { captured, card, trace } = invoice;
  if (!captured || !card) throw new BankRefusal('NOT_FOUND', 'the invoice has no receipt: it is not paid');
  return pdfOf([
    'Sandbox Bank',
    `Receipt for ${demo.merchant.merchantName}, EDRPOU ${demo.merchant.edrpou}`,
    `Invoice ${invoice.id}`,
    `Paid ${wireDate(captured.at)}`,
    `Amount ${hryvnias(captured.amount)}`,
    ...returns(invoice).map((cancel) => `Returned ${hryvnias(cancel.amount)}, ${wireDate(cancel.modifiedAt)}`),
    `Card ${card.maskedPan}`,
    `RRN ${trace?.rrn ?? ''}, code ${trace?.approvalCode ?? ''}`,
    'Test payment: no money was moved.',
  ]);
}

export interface FiscalCheck {
  id: string;
  /** The number under which the tax office lists it. */
  fiscalNumber: string;
  type: 'sale' | 'return';
  amount: number;
  at: number;
  isDone: boolean;
}

/** The register needs a moment, so a check is `process` first. */
const fiscalisedAfterMs = 1000;

export function checksOf(invoice: Invoice, how: Pick<BankSwitchValues, 'fiscal' | 'timeScale'>, now: number) {
  if (how.fiscal === 'off' || invoice.basket.length === 0 || !invoice.captured) return [];
  const sale = { type: 'sale' as const, amount: invoice.captured.amount, at: invoice.captured.at };
  const back = returns(invoice).map(({ amount, modifiedAt }) => ({ type: 'return' as const, amount, at: modifiedAt }));
  return [sale, ...back].map((check, index): FiscalCheck => {
    const hash = createHash('sha256').update(`${invoice.id}/${index}`).digest('hex');
    return {
      ...check,
      id: hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
      fiscalNumber: String(1_000_000_000 + (Number.parseInt(hash.slice(0, 8), 16) % 9_000_000_000)),
      isDone: now >= check.at + fiscalisedAfterMs / how.timeScale,
    };
  });
}

export function wireChecks(invoice: Invoice, checks: FiscalCheck[], origin: string) {
  return checks.map((check) => ({
    id: check.id,
    type: check.type,
    status: check.isDone ? 'done' : 'process',
    ...(check.isDone && {
      taxUrl: `${origin}/bank/cashregs/check?id=${check.fiscalNumber}&invoice=${invoice.id}`,
      file: pdfOf([`Fiscal check ${check.fiscalNumber} (${check.type})`, hryvnias(check.amount)]).toString('base64'),
    }),
    fiscalizationSource: 'monopay',
  }));
}

/** All movements of money in the period, newest first. A released hold moved none. */
export function statementOf(invoices: Invoice[], from: number, to: number) {
  const rows = invoices.flatMap((invoice) => {
    const date = invoice.captured?.at ?? (invoice.status === 'hold' ? invoice.heldAt : null);
    if (date === null || !invoice.card) return [];
    const back = returns(invoice);
    const isInPeriod = [date, ...back.map((cancel) => cancel.modifiedAt)].some((at) => at >= from && at <= to);
    return isInPeriod ? [{ invoice, card: invoice.card, date, back }] : [];
  });
  return rows
    .sort((a, b) => b.date - a.date)
    .map(({ invoice, card, date, back }) => {
      const amount = invoice.captured?.amount ?? invoice.amount;
      return {
        invoiceId: invoice.id,
        status: invoice.captured ? 'success' : 'hold',
        maskedPan: card.maskedPan,
        date: wireDate(date),
        paymentScheme: 'full',
        amount,
        ...(invoice.captured && { profitAmount: amount - feeOf(amount) }),
        ccy: invoice.ccy,
        approvalCode: invoice.trace?.approvalCode,
        rrn: invoice.trace?.rrn,
        reference: invoice.reference ?? undefined,
        destination: invoice.destination ?? undefined,
        ...(back.length > 0 && {
          cancelList: back.map((cancel) => ({
            amount: cancel.amount,
            ccy: invoice.ccy,
            date: wireDate(cancel.modifiedAt),
            ...cancel.trace,
            maskedPan: card.maskedPan,
          })),
        }),
      };
    });
}

function returns(invoice: Invoice): Cancel[] {
  return invoice.captured ? invoice.cancels.filter((cancel) => cancel.status === 'success') : [];
}

function hryvnias(kopecks: number): string {
  return `${Math.floor(kopecks / 100)}.${String(kopecks % 100).padStart(2, '0')} UAH`;
}
