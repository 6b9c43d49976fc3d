import type { UserTables } from '../platform/user-tables.ts';
import type { SavedCards } from './cards/saved-cards.ts';

/** What happens to payments, refunds and saved cards. */
export const createPaymentUserTables = (cards: Pick<SavedCards, 'removeAll'>): UserTables => ({
  payments: {
    async onUserMerged(step, from, to) {
      await step.db.updateTable('payments').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    onUserDeleted: 'kept: the books need payments; the name of their user is erased with the user',
  },
  refunds: {
    onUserMerged: 'kept: names the member of staff who refunded, and staff are no guests',
    /** The books keep the refund; what staff wrote about it goes. */
    async onUserDeleted(step, user) {
      const own = step.db.selectFrom('payments').select('id').where('user_id', '=', user);
      await step.db.updateTable('refunds').set({ reason: null }).where('payment_id', 'in', own).execute();
    },
  },
  saved_cards: {
    // A guest cannot save a card, so two rows of one card never meet here.
    async onUserMerged(step, from, to) {
      await step.db.updateTable('saved_cards').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    onUserDeleted: (step, user) => cards.removeAll(step, user),
  },
});
