import { openStatuses } from '@fpay/contract/charging';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import { literals } from '../../platform/database.ts';
import type { Viewer } from '../../platform/http/session.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step } from '../../platform/step.ts';

/** What can be charged from the balance before the confirmation where it must not depend on a code. */
export const mostUnconfirmed = kopecks(500_00);

export interface UnconfirmedPayer {
  /** Null outside of closed parties. */
  closedPartyOf(user: number): Promise<number | null>;
  /** Whether one-time codes reach the user. */
  getsCodes(user: number): Promise<boolean>;
}

/**
 * What a session may pay with before its user has confirmed a password that the owner of the party knows: only the money of
 * the party, in a closed one; up to a sum of the balance in an open party and for users whom no code reaches.
 */
export function createUnconfirmedSpending(payer: () => UnconfirmedPayer) {
  return async (
    step: Step,
    { id, unconfirmedSince }: Viewer,
    { method, deposit }: { method: 'card' | 'balance'; deposit: Kopecks },
  ): Promise<{ partyOnly: boolean }> => {
    if (!unconfirmedSince || deposit === 0) return { partyOnly: false };
    if (method === 'card') throw new Refusal('confirmation_required');
    if ((await payer().closedPartyOf(id)) !== null && (await payer().getsCodes(id))) return { partyOnly: true };
    const { rows } = await sql<{ spent: number }>`
      select coalesce(sum(case when status in (${literals(openStatuses)}) then deposit else total end), 0)::bigint as spent
      from operations where user_id = ${id} and created_at >= ${unconfirmedSince} and payment_type = 'bonuses'`.execute(
      step.db,
    );
    if ((rows[0]?.spent ?? 0) + deposit > mostUnconfirmed) throw new Refusal('confirmation_required');
    return { partyOnly: false };
  };
}
