import type { DeclineReason } from '@fpay/contract/payments';
import { type BankTerms, bankTerms, type Provider } from './bank-terms.ts';

const codesOf = ({ declines }: BankTerms): Map<string, DeclineReason> =>
  new Map(
    (Object.keys(declines) as DeclineReason[]).flatMap((reason) =>
      declines[reason].map((code) => [code, reason] as const),
    ),
  );
const reasons = new Map(Object.entries(bankTerms).map(([provider, terms]) => [provider, codesOf(terms)]));

/** Why a card was declined, from the code of the payment's bank. */
export function declineReasonOf(provider: Provider, code: string | null): DeclineReason {
  return (code !== null && reasons.get(provider)?.get(code)) || 'unknown';
}

/** The payer canceled on the bank's page; this is not a failed card. */
export function isPayersCancel({ provider, errorCode }: { provider: Provider; errorCode: string | null }): boolean {
  return declineReasonOf(provider, errorCode) === 'canceled_by_payer';
}
