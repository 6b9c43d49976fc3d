/** The last four digits are enough to recognise one's own cards, and useless for other people. */
export function maskedTag(idTag: string): string {
  return `•••• ${idTag.slice(-4)}`;
}

export interface TapFunds {
  balance: number;
  /** The card's own limit; null when it has none. */
  cardLimit: number | null;
  /** The most that the network allows for a card. */
  networkLimit: number;
}

/** A tap does not name a sum, so the deposit is the whole balance within both limits. */
export function depositOfTap({ balance, cardLimit, networkLimit }: TapFunds): number {
  return Math.min(balance, cardLimit ?? networkLimit, networkLimit);
}

export type Bind = 'bound' | 'failed';

/** The outcome of an open request when a card is shown at its station. */
export function outcomeOfTap(requester: number, owner: number | null, isBlocked: boolean): Bind {
  if (isBlocked) return 'failed';
  // The user's own card counts as bound again; a card of another user cannot be bound.
  return owner === null || owner === requester ? 'bound' : 'failed';
}
