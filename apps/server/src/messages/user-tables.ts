import type { UserTables } from '../platform/user-tables.ts';

export const messageUserTables: UserTables = {
  sent_messages: {
    async onUserMerged(step, from, to) {
      await step.db.updateTable('sent_messages').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('sent_messages').where('user_id', '=', user).execute();
    },
  },
  push_subscriptions: {
    async onUserMerged(step, from, to) {
      await step.db.updateTable('push_subscriptions').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('push_subscriptions').where('user_id', '=', user).execute();
    },
  },
  notice_channels: {
    // The account has its own choice, or the usual one; that of the guest ends with the guest.
    async onUserMerged(step, from) {
      await step.db.deleteFrom('notice_channels').where('user_id', '=', from).execute();
    },
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('notice_channels').where('user_id', '=', user).execute();
    },
  },
};
