import type { UserTables } from '../platform/user-tables.ts';

export const caseUserTables: UserTables = {
  cases: {
    // The staff member who answers it is no guest.
    async onUserMerged(step, from, to) {
      await step.db.updateTable('cases').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    /** With what was written in them. Accounts of staff, who answer cases, are not deleted. */
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('cases').where('user_id', '=', user).execute();
    },
  },
  case_entries: {
    onUserMerged:
      'kept: names the member of staff who wrote, and staff are no guests; entries of drivers follow their case',
    onUserDeleted: 'kept: names the member of staff who wrote; entries of the driver are deleted with their case',
  },
};
