import type { UserTables } from './user-tables.ts';

/** What happens to requests about the money of a guest who joins an account, and of an account that is deleted. */
export const approvalUserTables: UserTables = {
  staff_approvals: {
    /** What waits for a second member of staff follows the money; decisions stay as they were made. */
    async onUserMerged(step, from, to) {
      await step.db
        .updateTable('staff_approvals')
        .set((row) => ({
          recipient_id: to,
          subject_id: row.case().when('subject_kind', '=', 'user').then(to).else(row.ref('subject_id')).end(),
        }))
        .where('recipient_id', '=', from)
        .where('outcome', 'is', null)
        .execute();
    },
    /** The record of a decision about money is kept; what staff wrote about the person is erased with the account. */
    async onUserDeleted(step, user) {
      await step.db.updateTable('staff_approvals').set({ reason: null }).where('recipient_id', '=', user).execute();
    },
  },
};
