/** Uses of other features' tables that are neither by the owner nor by a read model. The list may only become shorter. */
export const still: ReadonlySet<string> = new Set([
  'network/writer.ts reads parties',
  'rfid/spendable-balance.ts reads accounts',
  'rfid/spendable-balance.ts reads users',
]);
