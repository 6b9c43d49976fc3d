import type { PaymentState } from '../payment.ts';
import type { MoneyFixture } from './money.ts';

export type CrashParts = Pick<
  MoneyFixture,
  | 'db'
  | 'clock'
  | 'steps'
  | 'payments'
  | 'gifts'
  | 'staffMoney'
  | 'wallet'
  | 'atBank'
  | 'switchBank'
  | 'endCharge'
  | 'runDue'
  | 'pass'
>;

/** The data of a flow, created before it starts, so that it can be run twice. */
export interface CrashFixture {
  user: number;
  staff: number;
  other: { id: number; phone: string };
  guest: number;
  operation: number;
  key: string;
}

export interface Flow {
  /** Earlier steps that are killed in a flow of their own. */
  before?: (parts: CrashParts, fixture: CrashFixture) => Promise<unknown>;
  /** As its callers do: it may be repeated after a crash, and the repeat must find what is done. */
  run: (parts: CrashParts, fixture: CrashFixture) => Promise<unknown>;
  /** Every place where a crash can come between two lasting effects: after each commit and each call to the bank. */
  points: readonly string[];
  /** What must be true after everything is settled. */
  ends: {
    payment: { state: PaymentState; captured?: number; refunded?: number; lost?: number } | null;
    balance: number;
  };
}
