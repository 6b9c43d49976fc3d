import type { UserTables } from '../platform/user-tables.ts';

export const paymentUserTables: UserTables = {
  payments: {
    async onUserMerged(step, from, to) {
      await step.db.updateTable('payments').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    onUserDeleted: 'kept: the books need payments; the name of their user is erased with the user',
  },
  refunds: {
    onUserMerged: 'kept: names the member of staff who refunded, and staff are no guests',
    onUserDeleted: 'kept: names the member of staff who refunded, and accounts of staff are not deleted',
  },
};
