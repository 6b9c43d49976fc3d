import type { UserTables } from '../platform/user-tables.ts';

export const feedbackUserTables: UserTables = {
  feedback: {
    async onUserMerged(step, from, to) {
      await step.db.updateTable('feedback').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    /** The rating stays, because it belongs to the station; the comment may identify its author. */
    async onUserDeleted(step, user) {
      await step.db.updateTable('feedback').set({ comment: null }).where('user_id', '=', user).execute();
    },
  },
};
