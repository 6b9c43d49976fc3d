import type { DeclineReason } from '@fpay/contract/payments';
import { bankTerms, type Provider } from './bank-terms.ts';

const reasons = new Map(
  Object.entries(bankTerms).map(([provider, { declines }]) => [
    provider,
    new Map(
      Object.entries(declines).flatMap(([reason, codes]) =>
        codes.map((code: string) => [code, reason as DeclineReason] as const),
      ),
    ),
  ]),
);

/** Why a card was declined, from the code of the payment's bank. */
export function declineReasonOf(provider: Provider, code: string | null): DeclineReason {
  return (code !== null && reasons.get(provider)?.get(code)) || 'unknown';
}

/** The payer canceled on the bank's page; this is not a failed card. */
export function isPayersCancel({ provider, errorCode }: { provider: Provider; errorCode: string | null }): boolean {
  return declineReasonOf(provider, errorCode) === 'canceled_by_payer';
}
