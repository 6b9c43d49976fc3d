import type { DeclineReason } from '@fpay/contract/payments';
import { monobank } from './monobank/terms.ts';

/** What a payment needs to know of its bank without a call: rules and codes, which each bank's folder declares. */
export interface BankTerms {
  /** Of its API. */
  url: string;
  /** Where the sandbox plays it. */
  sandboxPath: string;
  /** Where it sends its notifications. */
  notificationPath: string;
  /** The bank releases a hold by itself after this. */
  holdLifeMs: number;
  /** Its codes by what the payer can do about them. Any other is `unknown`. */
  declines: Record<DeclineReason, readonly string[]>;
}

/** Every bank with which a payment may have been opened, by the name that `payments.provider` stores. */
export const bankTerms = { monobank } as const satisfies Record<string, BankTerms>;
export type Provider = keyof typeof bankTerms;
export const providers = Object.keys(bankTerms) as [Provider, ...Provider[]];

/** The bank of new payments where the settings name none. */
export const usualProvider: Provider = 'monobank';
