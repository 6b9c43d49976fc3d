import type { Kopecks } from '@fpay/contract/money';
import type { Clock } from '../platform/clock.ts';
import type { Provider } from './bank-terms.ts';

/** What we need from any bank; each adapter translates it for its bank. */
export interface BankApi {
  provider: Provider;
  /** Opens a page where the driver pays. Repeats are not detected: an invoice whose answer was lost expires unpaid. */
  open(invoice: NewInvoice): Promise<BankAnswer<{ invoice: string; pageUrl: string }>>;
  /**
   * Charges a saved card, or sends its owner to a page for 3-D Secure. Repeats are not detected, so it is never repeated.
   */
  payWithCard(payment: CardPayment): Promise<BankAnswer<{ invoice: string; pageUrl: string | null }>>;
  /** Deletes a saved card. */
  removeCard(token: string): Promise<BankAnswer>;
  invoiceStatus(invoice: string): Promise<BankAnswer<InvoiceStatus>>;
  /** Captures a hold. Accepted does not mean done; the invoice status shows that. */
  finalize(invoice: string, total: Kopecks, fiscalItem: FiscalItem | null): Promise<BankAnswer>;
  /** Releases a hold. */
  cancel(invoice: string): Promise<BankAnswer>;
  /** Returns captured money. `ref` identifies the return, so that the invoice status shows whether it was made. */
  refund(invoice: string, refund: { amount: Kopecks; ref: string; fiscalItem: FiscalItem | null }): Promise<BankAnswer>;
  /** Withdraws an invoice that is not paid yet. */
  remove(invoice: string): Promise<BankAnswer>;
  statement(from: Date, to: Date): Promise<BankAnswer<StatementLine[]>>;
  fiscalCheck(invoice: string): Promise<BankAnswer<FiscalReceipt | null>>;
  /** The content of a notification, if the bank really sent it. It is only a hint to read the invoice status. */
  hint(notification: BankNotification): Promise<BankHint | 'forged' | 'unreadable'>;
}

/** A notification as it arrived; the raw bytes are signed. */
export interface BankNotification {
  body: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A contract with a bank. */
export interface BankAccount {
  provider: Provider;
  baseUrl: string;
  token: string;
}

/** How the product reaches a bank. */
export interface BankOptions extends Omit<BankAccount, 'provider'> {
  /** Our address, to which the bank sends its notifications; null where it cannot reach us. */
  siteUrl: URL | null;
  clock: Clock;
  /** Called for every exchange; must not throw. */
  onExchange?: (exchange: Exchange) => void | Promise<void>;
  timeoutMs?: number;
}

/** Whether the bank accepts our token, for a person who sets the product up. It throws when there is no answer. */
export type BankProbe = (account: {
  baseUrl: string;
  token: string;
  timeoutMs: number;
}) => Promise<
  | { kind: 'ok'; merchant: string; edrpou: string | null; answeredAt: string | null }
  | { kind: 'token_refused' }
  | { kind: 'unexpected'; status: number }
>;

export interface BankAdapter {
  connect(options: BankOptions): BankApi;
  probe: BankProbe;
}

/** One exchange with the bank, without the token and other data that must not be stored. */
export interface Exchange {
  call: string;
  invoice: string | null;
  reference: string | null;
  request: unknown;
  httpStatus: number | null;
  answer: unknown;
  failure: string | null;
  tookMs: number;
}

/** `unknown`: no valid answer came, so it may have happened. Ask again; never assume. */
export type BankAnswer<Value = null> =
  | { kind: 'done'; value: Value }
  | { kind: 'refused'; code: string; reason: string; meaning: RefusalMeaning | null }
  | { kind: 'unknown'; reason: string };

/** `too_small`: the bank never accepts so small an amount. `unknown_card`: it does not know the token of a saved card. */
type RefusalMeaning = 'too_small' | 'unknown_card';

export interface NewInvoice {
  /** Included in statuses and statements. */
  reference: string;
  amount: Kopecks;
  /** `hold`: reserved until captured. `debit`: captured at once. */
  kind: 'hold' | 'debit';
  description: string;
  redirectUrl: string;
  validSeconds: number;
  fiscalItem: FiscalItem | null;
  /** The wallet where the bank saves the card; without it the card is not saved. */
  walletId?: string | null;
}

export interface CardPayment extends Omit<NewInvoice, 'validSeconds' | 'walletId'> {
  token: string;
}

/** A card that the bank has saved. */
export interface BankCard {
  /** A secret: with it and our own token the card can be charged. */
  token: string;
  maskedPan: string;
  system: 'visa' | 'mastercard' | null;
}

/** One line of a fiscal check: what was sold for the whole sum. */
export interface FiscalItem {
  name: string;
  code: string;
  amount: Kopecks;
}

export const bankStatuses = ['created', 'processing', 'hold', 'success', 'failure', 'reversed', 'expired'] as const;
export type BankStatus = (typeof bankStatuses)[number];

export interface InvoiceStatus {
  /** Null for an unknown status of the bank. */
  status: BankStatus | null;
  amount: number;
  currency: number;
  /** What is left of the captured sum after returns; null before the capture. */
  finalAmount: number | null;
  modifiedAt: Date | null;
  failureReason: string | null;
  errorCode: string | null;
  /** The card was declined because its validity has ended. */
  isCardExpired: boolean;
  card: { maskedPan: string; rrn: string | null; approvalCode: string | null } | null;
  returns: BankReturn[];
  /** The card of this payment, once the bank has saved it. */
  savedCard: BankCard | null;
}

export interface BankReturn {
  status: 'processing' | 'success' | 'failure';
  amount: number | null;
  ref: string | null;
  rrn: string | null;
}

export interface BankHint {
  invoice: string;
  amount: number;
  currency: number;
  modifiedAt: Date | null;
  reference: string | null;
}

export interface StatementLine {
  invoice: string;
  reference: string | null;
  /** `hold`: reserved, not captured. */
  status: 'hold' | 'success' | 'other';
  amount: number;
  /** Null when the bank does not report it. */
  fee: number | null;
  at: Date;
  returned: number;
}

export interface FiscalReceipt {
  number: string | null;
  url: string;
}
