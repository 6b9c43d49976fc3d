import { can, knownRole } from '@fpay/contract/roles';
import { sql } from 'kysely';
import { isVisible, type Side } from '../party/membership.ts';
import type { PartyStore } from '../party/store.ts';
import type { Step } from '../platform/step.ts';

interface Dependencies {
  parties: Pick<PartyStore, 'closedPartyOf'>;
  /** Whose the stations are that this device stands behind, if they are closed. */
  closedPartiesAt: (step: Step, chargePoint: number) => Promise<Side[]>;
}

/**
 * What a card's owner can pay with at this device, read in the step of the tap; null when they may not charge there at
 * all. The account cannot be deleted until the step ends.
 */
export function createSpendableBalance({ parties, closedPartiesAt }: Dependencies) {
  return async (step: Step, user: number, chargePoint: number): Promise<{ balance: number } | null> => {
    const { rows } = await sql<{ role: string; balance: number }>`
      select u.role, a.balance from users u join accounts a on a.id = u.wallet_id
      where u.id = ${user} and u.deleted_at is null
      for key share of u`.execute(step.db);
    const [row] = rows;
    if (!row || !can(knownRole(row.role), 'use-balance')) return null;
    const side = await parties.closedPartyOf(user, step.db);
    const owners = await closedPartiesAt(step, chargePoint);
    return owners.every((owner) => isVisible(owner, side)) ? { balance: row.balance } : null;
  };
}
