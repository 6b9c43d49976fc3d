/**
 * Where the owner of the money is found. `typed_user` is an id or a phone as staff type it, `card_lines` has such a user behind each
 * card, `anomaly` is a difference that was found in the books.
 */
export const moneyOwners = [
  'operation',
  'payment',
  'user',
  'typed_user',
  'transaction',
  'party',
  'approval',
  'anomaly',
  'card_lines',
] as const;
export type MoneyOwner = (typeof moneyOwners)[number];

/** One owner: what it is, and where the request names it. A list names several. */
export interface MoneyOf {
  of: MoneyOwner;
  at: `params.${string}` | `body.${string}`;
}

/**
 * Whose money a call of staff moves or decides about, or why it is about no money. A member of staff may not make a
 * call about money that they profit from.
 */
export type CallMoney = readonly [MoneyOf, ...MoneyOf[]] | { none: string };

/**
 * Whether staff may decide about this money: it is not theirs, it is theirs, or it may be theirs, because a card with the same
 * visible digits pays for both. The last one waits for a second member of staff.
 */
export const moneyAnswers = ['free', 'own', 'second_person'] as const;
export type MoneyAnswer = (typeof moneyAnswers)[number];

/** Reasons that several calls share. */
export const noMoney = {
  reads: { none: 'It only reads.' },
  stops: { none: 'A stop or a reset of a device is safety.' },
  network: { none: 'It changes what drivers find and no money.' },
  integration: { none: 'It concerns programs of others and no money.' },
  person: { none: 'It concerns a person and no money.' },
  prices: { none: 'A price or a promotion is for all drivers; a second person decides about the generous ones.' },
} as const satisfies Record<string, CallMoney>;
