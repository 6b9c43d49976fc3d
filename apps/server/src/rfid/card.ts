/** The last four are enough to tell one's own cards apart, and of no use to anybody else. */
export function maskedTag(idTag: string): string {
  return `•••• ${idTag.slice(-4)}`;
}

export interface Means {
  balance: number;
  /** The card's own limit; null: none. */
  cardLimit: number | null;
  /** What the network allows a card at most. */
  networkLimit: number;
}

/** A tap says nothing of how much: as much as there is, within both limits. */
export function depositOfTap({ balance, cardLimit, networkLimit }: Means): number {
  return Math.min(balance, cardLimit ?? networkLimit, networkLimit);
}

export type Bind = 'bound' | 'failed';

/** What becomes of an open request when a card is shown at its station. */
export function outcomeOfTap(requester: number, owner: number | null): Bind {
  // One's own card again is as good as bound; another's card is not to be had.
  return owner === null || owner === requester ? 'bound' : 'failed';
}
