import type { RefusalCode } from '@fpay/contract/refusals';
import type { Step } from '../platform/step.ts';
import type { UserTables } from '../platform/user-tables.ts';

export const partyUserTables: UserTables = {
  parties: {
    onUserMerged: 'kept: guests lead no party',
    onUserDeleted: 'kept: the account of a party owner is not deleted',
  },
  party_members: {
    onUserMerged: 'kept: guests are members of no party',
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('party_members').where('user_id', '=', user).execute();
    },
  },
  party_stays: {
    onUserMerged: 'kept: guests are members of no party',
    /** The charges stay without a name, so no owner sees them as those of a member. */
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('party_stays').where('user_id', '=', user).execute();
    },
  },
  party_allowances: {
    onUserMerged: 'kept: guests are members of no party',
    onUserDeleted: 'kept: the database deletes an allowance together with the membership',
  },
};

/** Why an account cannot be deleted yet. */
export async function ledPartyOf(step: Step, user: number): Promise<RefusalCode | null> {
  const row = await step.db.selectFrom('parties').select('id').where('owner_id', '=', user).executeTakeFirst();
  return row ? 'account_has_party' : null;
}
