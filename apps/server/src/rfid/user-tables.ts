import type { UserTables } from '../platform/user-tables.ts';

export const rfidUserTables: UserTables = {
  rfid_requests: {
    onUserMerged: 'kept: guests bind no cards',
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('rfid_requests').where('user_id', '=', user).execute();
    },
  },
  rfid_cards: {
    onUserMerged: 'kept: guests have no cards',
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('rfid_cards').where('user_id', '=', user).execute();
    },
  },
};
