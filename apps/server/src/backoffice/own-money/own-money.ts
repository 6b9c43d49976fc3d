import type { MoneyAnswer } from '@fpay/contract/staff-money';

/**
 * By what two accounts profit from the same money: they are one account, one joined the other, they share a wallet, a party (also
 * one that was left), a Telegram or a phone number that both held. Cards with the same visible digits are only a sign.
 */
export const tieKinds = ['account', 'wallet', 'party', 'telegram', 'phone', 'card'] as const;

export interface Tie {
  kind: (typeof tieKinds)[number];
  value: string;
}

/**
 * The refusal of a call about such money; null: it may be made. What needs a second person waits for one where the call can wait, and
 * is left to a colleague otherwise.
 */
export function refusalOf(answer: MoneyAnswer, canWait: boolean): 'own_money' | 'own_request' | null {
  if (answer === 'own') return 'own_money';
  return answer === 'second_person' && !canWait ? 'own_request' : null;
}

/** Whether a member of staff with these ties profits from money of somebody with those. */
export function moneyAnswer(staff: readonly Tie[], others: readonly Tie[]): MoneyAnswer {
  const own = new Set(staff.map(({ kind, value }) => `${kind} ${value}`));
  const shared = others.filter(({ kind, value }) => own.has(`${kind} ${value}`));
  if (shared.some(({ kind }) => kind !== 'card')) return 'own';
  return shared.length > 0 ? 'second_person' : 'free';
}
