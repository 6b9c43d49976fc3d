import * as z from 'zod/mini';
import { finalAmountOf, type Invoice } from './invoice.ts';
import { BankRefusal } from './refusal.ts';

/** Requests and answers of the merchant API as they are sent. Unknown fields are ignored. */

const Text = z.string().check(z.maxLength(280));
const Amount = z.int().check(z.positive());
const Address = z.string().check(
  z.maxLength(2048),
  z.refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http(s) address'),
);
const Currency = z._default(z.literal([980, 840, 978]), 980);
const InvoiceId = z.string().check(z.minLength(1), z.maxLength(64));

const Line = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(280)),
  qty: z.number().check(z.positive()),
  sum: z.int().check(z.nonnegative()),
  code: z.string().check(z.minLength(1), z.maxLength(128)),
  unit: z.optional(z.string().check(z.maxLength(32))),
});
const Items = z._default(z.array(Line).check(z.maxLength(100)), []);

const Discount = z.object({
  type: z.enum(['DISCOUNT', 'EXTRA_CHARGE']),
  mode: z.enum(['PERCENT', 'VALUE']),
  value: z.number(),
});

const MerchantPaymInfo = z.object({
  reference: z.optional(Text),
  destination: z.optional(Text),
  comment: z.optional(Text),
  customerEmails: z.optional(
    z.array(z.email()).check(z.refine((emails) => new Set(emails).size === emails.length, 'must be unique')),
  ),
  discounts: z.optional(z.array(Discount)),
  basketOrder: Items,
  // The bank refuses values that are not text.
  metadata: z.optional(z.record(z.string(), z.string())),
});

export const CreateRequest = z
  .object({
    amount: z.int().check(z.nonnegative()),
    ccy: Currency,
    merchantPaymInfo: z.optional(MerchantPaymInfo),
    redirectUrl: z.optional(Address),
    webHookUrl: z.optional(Address),
    validity: z._default(z.int().check(z.positive(), z.maximum(31_536_000)), 86_400),
    paymentType: z._default(z.enum(['debit', 'hold', 'verification']), 'debit'),
    saveCardData: z.optional(
      z.object({ saveCard: z.boolean(), walletId: z.optional(z.string().check(z.minLength(1), z.maxLength(64))) }),
    ),
    withAppUrl: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ amount, paymentType }) => (paymentType === 'verification' ? amount === 0 : amount > 0), {
      path: ['amount'],
      error: 'must be positive (0 for a verification)',
    }),
    z.refine(({ paymentType, saveCardData }) => paymentType !== 'verification' || saveCardData?.saveCard === true, {
      path: ['saveCardData'],
      error: 'a verification saves the card',
    }),
  );
export type CreateRequest = z.infer<typeof CreateRequest>;

export const InvoiceRequest = z.object({ invoiceId: InvoiceId });
export const FinalizeRequest = z.object({ invoiceId: InvoiceId, amount: z.optional(Amount), items: Items });
export const CancelRequest = z.object({
  invoiceId: InvoiceId,
  extRef: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  amount: z.optional(Amount),
  items: Items,
});
export const ReceiptRequest = z.object({ invoiceId: InvoiceId, email: z.optional(z.email()) });

export const WalletPaymentRequest = z.object({
  cardToken: z.string().check(z.minLength(1), z.maxLength(128)),
  amount: Amount,
  ccy: z.literal([980, 840, 978]),
  initiationKind: z.enum(['merchant', 'client']),
  redirectUrl: z.optional(Address),
  webHookUrl: z.optional(Address),
  merchantPaymInfo: z.optional(MerchantPaymInfo),
  paymentType: z._default(z.enum(['debit', 'hold']), 'debit'),
});
export type WalletPaymentRequest = z.infer<typeof WalletPaymentRequest>;
export const WalletRequest = z.object({ walletId: z.string().check(z.minLength(1), z.maxLength(64)) });
export const CardRequest = z.object({ cardToken: z.string().check(z.minLength(1), z.maxLength(128)) });

/** Unix seconds, as text in a URL. */
const Seconds = z.pipe(z.string().check(z.regex(/^\d{1,11}$/)), z.transform(Number));
export const StatementRequest = z.object({ from: Seconds, to: z.optional(Seconds), code: z.optional(z.string()) });

/** Returns the parsed request, or throws the bank's refusal. */
export function read<Schema extends z.ZodMiniType>(schema: Schema, sent: unknown): z.infer<Schema> {
  const result = schema.safeParse(sent ?? {});
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  const errCode = path[0] === 'merchantPaymInfo' ? 'INVALID_MERCHANT_PAYM_INFO' : 'BAD_REQUEST';
  throw new BankRefusal(errCode, `invalid '${path.join('.') || 'body'}': ${issue?.message ?? 'unreadable'}`);
}

/** RFC 3339 in whole seconds, so two states of an invoice can have the same `modifiedDate`, as at the real bank. */
export function wireDate(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The answer of a status call, which is also the body of a webhook. */
export function statusAnswer(invoice: Invoice) {
  const { card, trace, captured, failure } = invoice;
  return {
    invoiceId: invoice.id,
    status: invoice.status,
    ...(failure && { failureReason: failure.reason, errCode: failure.errCode }),
    amount: invoice.amount,
    ccy: invoice.ccy,
    finalAmount: finalAmountOf(invoice),
    createdDate: wireDate(invoice.createdAt),
    modifiedDate: wireDate(invoice.modifiedAt),
    reference: invoice.reference ?? undefined,
    destination: invoice.destination ?? undefined,
    cancelList:
      invoice.cancels.length === 0 ? undefined : invoice.cancels.map((cancel) => cancelOf(cancel, invoice.ccy)),
    ...(card && {
      paymentInfo: {
        maskedPan: card.maskedPan,
        ...(trace && !failure && trace),
        terminal: 'MI001088',
        bank: card.bank,
        paymentSystem: card.paymentSystem,
        paymentMethod: card.paymentMethod,
        ...(captured && { fee: feeOf(captured.amount) }),
        country: card.country,
      },
    }),
    walletData: invoice.walletData ?? undefined,
  };
}

/** 1.3 % of the captured amount; half a kopeck rounds in favour of the bank. */
export function feeOf(amount: number): number {
  return Math.floor((amount * 13 + 500) / 1000);
}

function cancelOf(cancel: Invoice['cancels'][number], ccy: number) {
  return {
    status: cancel.status,
    amount: cancel.amount,
    ccy,
    createdDate: wireDate(cancel.createdAt),
    modifiedDate: wireDate(cancel.modifiedAt),
    ...(cancel.status === 'success' && cancel.trace),
    extRef: cancel.extRef ?? undefined,
  };
}
