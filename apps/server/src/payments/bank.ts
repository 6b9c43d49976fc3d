import type { Kopecks } from '@fpay/contract/money';

/** What we ask of any bank, in our words; each adapter translates them to its bank's. */
export interface Bank {
  /** Opens a page where the driver pays. Nothing remembers a repeat: an invoice whose answer got lost expires unpaid. */
  open(invoice: NewInvoice): Promise<BankAnswer<{ invoice: string; pageUrl: string }>>;
  news(invoice: string): Promise<BankAnswer<BankNews>>;
  /** Captures a hold. Accepted is not done: the news tell. */
  finalize(invoice: string, total: Kopecks, goods: Goods | null): Promise<BankAnswer>;
  /** Lets a hold go. */
  cancel(invoice: string): Promise<BankAnswer>;
  /** Returns captured money; `ref` names the return, so that the news can be asked whether it was made. */
  refund(invoice: string, refund: { amount: Kopecks; ref: string; goods: Goods | null }): Promise<BankAnswer>;
  /** Withdraws an invoice that nobody has paid yet. */
  remove(invoice: string): Promise<BankAnswer>;
  statement(from: Date, to: Date): Promise<BankAnswer<StatementLine[]>>;
  fiscalCheck(invoice: string): Promise<BankAnswer<FiscalCheck | null>>;
  /** What a notification claims, if the bank really sent it. Never more than a hint to ask for the news. */
  hint(body: Buffer, signature: string | undefined): Promise<BankHint | 'forged' | 'unreadable'>;
}

/** `unknown`: no answer came, or none that makes sense, so it may have happened. Ask again; never assume. */
export type BankAnswer<Value = null> =
  | { kind: 'done'; value: Value }
  | { kind: 'refused'; code: string; reason: string }
  | { kind: 'unknown'; reason: string };

export interface NewInvoice {
  /** Comes back in news and statements. */
  reference: string;
  amount: Kopecks;
  /** `hold`: set aside until captured. `debit`: taken at once. */
  kind: 'hold' | 'debit';
  description: string;
  redirectUrl: string;
  validSeconds: number;
  goods: Goods | null;
}

/** One line of a fiscal check: what was sold for the whole sum. */
export interface Goods {
  name: string;
  code: string;
  amount: Kopecks;
}

export const bankStatuses = ['created', 'processing', 'hold', 'success', 'failure', 'reversed', 'expired'] as const;
export type BankStatus = (typeof bankStatuses)[number];

export interface BankNews {
  /** Null: a word of the bank's that we do not know. */
  status: BankStatus | null;
  amount: number;
  currency: number;
  /** What is left of the captured sum after returns; null while nothing was captured. */
  finalAmount: number | null;
  modifiedAt: Date | null;
  failureReason: string | null;
  errorCode: string | null;
  card: { maskedPan: string; rrn: string | null; approvalCode: string | null } | null;
  returns: BankReturn[];
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
}

export interface StatementLine {
  invoice: string;
  reference: string | null;
  /** `hold`: set aside, not captured. */
  status: 'hold' | 'success' | 'other';
  amount: number;
  /** Null: the bank does not say. */
  fee: number | null;
  at: Date;
  returned: number;
}

export interface FiscalCheck {
  number: string | null;
  url: string;
}
