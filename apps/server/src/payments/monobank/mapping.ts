import type * as z from 'zod/mini';
import { type BankReturn, bankStatuses, type FiscalReceipt, type InvoiceStatus, type StatementLine } from '../bank.ts';
import type * as schemas from './schemas.ts';
import { expiredCardCode } from './terms.ts';

/** Translates the bank's values into ours. A value that it does not send is null, never a guess. */
export function invoiceStatusOf(status: schemas.Status): InvoiceStatus {
  const { paymentInfo: card } = status;
  const errorCode = status.errCode === null || status.errCode === undefined ? null : String(status.errCode);
  return {
    status: bankStatuses.find((known) => known === status.status) ?? null,
    amount: status.amount,
    currency: status.ccy,
    finalAmount: status.finalAmount ?? null,
    modifiedAt: instantOf(status.modifiedDate),
    failureReason: status.failureReason ?? null,
    errorCode,
    isCardExpired: status.status === 'failure' && errorCode === expiredCardCode,
    card: card?.maskedPan
      ? { maskedPan: card.maskedPan, rrn: card.rrn ?? null, approvalCode: card.approvalCode ?? null }
      : null,
    savedCard: savedCardOf(status),
    returns: (status.cancelList ?? []).map((item) => ({
      status: returnStatusOf(item.status),
      amount: item.amount ?? null,
      ref: item.extRef ?? null,
      rrn: item.rrn ?? null,
    })),
  };
}

/** The token counts only when the bank has finished creating it. */
function savedCardOf({ walletData, paymentInfo }: schemas.Status): InvoiceStatus['savedCard'] {
  if (walletData?.status !== 'created' || !walletData.cardToken || !paymentInfo?.maskedPan) return null;
  const system = paymentInfo.paymentSystem?.toLowerCase();
  return {
    token: walletData.cardToken,
    maskedPan: paymentInfo.maskedPan,
    system: system === 'visa' || system === 'mastercard' ? system : null,
  };
}

/** A return with an unknown status counts as still in progress: it is neither booked nor requested again. */
function returnStatusOf(word: string | null | undefined): BankReturn['status'] {
  return word === 'success' || word === 'failure' ? word : 'processing';
}

export function statementLineOf(line: z.infer<typeof schemas.Statement>['list'][number]): StatementLine {
  return {
    invoice: line.invoiceId,
    reference: line.reference ?? null,
    status: line.status === 'hold' || line.status === 'success' ? line.status : 'other',
    amount: line.amount,
    fee: line.profitAmount === null || line.profitAmount === undefined ? null : line.amount - line.profitAmount,
    at: instantOf(line.date) ?? new Date(0),
    returned: (line.cancelList ?? []).reduce((sum, item) => sum + (item.amount ?? 0), 0),
  };
}

/** The check of the sale, once it is done; its number is part of the tax office's address. */
export function fiscalCheckOf({ checks }: z.infer<typeof schemas.FiscalChecks>): FiscalReceipt | null {
  const sale = (checks ?? []).find((check) => check.type === 'sale' && check.status === 'done' && check.taxUrl);
  if (!sale?.taxUrl) return null;
  const number = URL.canParse(sale.taxUrl) ? new URL(sale.taxUrl).searchParams.get('id') : null;
  return { number: number ?? sale.id ?? null, url: sale.taxUrl };
}

function instantOf(text: string | null | undefined): Date | null {
  const instant = new Date(text ?? '');
  return Number.isNaN(instant.getTime()) ? null : instant;
}
