import type { Takes, Transfer, TransferKind } from './transfer.ts';

/** Money keeps its colour on its way unless the transfer says otherwise. */
export const takesOf = {
  // Charging uses the money of the party first.
  operation_payment: 'party',
  earned: 'party',
  // So what returns from a charge is own money first.
  operation_return: 'own',
  gift: 'own',
  allowance: 'own',
  admin: 'own',
  promo: 'own',
  reversal: 'own',
  party_return: 'party_only',
  // The money of the party never leaves it to a card.
  refund: 'own_only',
  chargeback: 'own_only',
  refunded: 'own',
  refund_refused: 'own',
  opening: 'own',
  reward_cost: 'own',
  deposit: 'own',
  capture: 'own',
  lost: 'own',
  fee: 'own',
  correction: 'own',
} as const satisfies Record<TransferKind, Takes>;

export const takesOfTransfer = (transfer: Transfer): Takes => transfer.takes ?? takesOf[transfer.kind];

/** What the two parts of an account are. */
export interface Parts {
  own: number;
  party: number;
}

/** The party's part of an amount that leaves an account. The database has the same rule (`party_money_taken`). */
export function partyPart(takes: Takes, amount: number, { own, party }: Parts): number {
  switch (takes) {
    case 'party':
      return Math.min(amount, party);
    case 'party_only':
      return amount;
    case 'own_only':
      return 0;
    case 'own':
      return Math.max(0, Math.min(party, amount - own));
  }
}

/** Whether party money paid the larger part of a charge. */
export const paidByParty = ({ own, party }: Parts): boolean => party > own;
