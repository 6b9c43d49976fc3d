import { sql } from 'kysely';
import { literals } from '../platform/database.ts';
import type { TransferKind } from './transfer.ts';

/** Accounts below it are the network's own. */
const firstAccount = sql.lit(100);
const neverIn: readonly TransferKind[] = ['operation_payment', 'refund'];
const neverOut: readonly TransferKind[] = ['earned', 'operation_return', 'refunded', 'refund_refused'];

/**
 * The transfers that a wallet shows, by the side on which it stands, as conditions over `transfers`. The excluded kinds go to a
 * reserve or come from one and never belong to a wallet; they are named because the indexes of the two sides have these very
 * conditions, and so has the function that forgets a guest. `ledger.test.ts` compares all three.
 */
export const shownIncoming = sql<boolean>`to_account >= ${firstAccount} and kind not in (${literals(neverIn)})`;
export const shownOutgoing = sql<boolean>`from_account >= ${firstAccount} and kind not in (${literals(neverOut)})`;
