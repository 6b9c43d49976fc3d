import * as z from 'zod/mini';

/** The bank's answers, parsed leniently: fields and values that it adds must not stop us from reading the rest. */

const Text = z.nullish(z.string());
const Sum = z.nullish(z.number());

export const Created = z.object({
  invoiceId: z.string().check(z.minLength(1)),
  pageUrl: z.string().check(z.minLength(1)),
});

/** The answer of a payment with a saved card; `tdsUrl` is the page for 3-D Secure. */
export const WalletPaid = z.object({ invoiceId: z.string().check(z.minLength(1)), tdsUrl: Text });

const CancelItem = z.object({ status: Text, amount: Sum, extRef: Text, rrn: Text });

export const Status = z.object({
  invoiceId: z.string(),
  status: z.string(),
  amount: z.number(),
  ccy: z.number(),
  finalAmount: Sum,
  modifiedDate: Text,
  failureReason: Text,
  errCode: z.nullish(z.union([z.string(), z.number()])),
  reference: Text,
  cancelList: z.nullish(z.array(CancelItem)),
  paymentInfo: z.nullish(z.object({ maskedPan: Text, rrn: Text, approvalCode: Text, fee: Sum, paymentSystem: Text })),
  walletData: z.nullish(z.object({ cardToken: Text, status: Text })),
});
export type Status = z.infer<typeof Status>;

export const Accepted = z.object({ status: Text });

export const BankFailure = z.object({ errCode: z.nullish(z.union([z.string(), z.number()])), errText: Text });

export const Statement = z.object({
  list: z.array(
    z.object({
      invoiceId: z.string(),
      status: z.string(),
      amount: z.number(),
      profitAmount: Sum,
      date: z.string(),
      reference: Text,
      cancelList: z.nullish(z.array(z.object({ amount: Sum }))),
    }),
  ),
});

export const FiscalChecks = z.object({
  checks: z.nullish(z.array(z.object({ id: Text, type: Text, status: Text, taxUrl: Text }))),
});

export const PublicKey = z.object({ key: z.string() });
