/**
 * On which side of the borders of closed parties someone or something is: the id of the closed party inside which it is,
 * or null outside of all of them. A user is in one party at most, so there is always one answer.
 */
export type Side = number | null;

/** Stations of a closed party exist for its members only, in every read and for every way to charge. */
export function isVisible(closedPartyId: Side, viewer: Side): boolean {
  return closedPartyId === null || closedPartyId === viewer;
}

/** Money moves between wallets only while all users of both are on one side. */
export function areOnOneSide(sides: readonly Side[]): boolean {
  return new Set(sides).size <= 1;
}
