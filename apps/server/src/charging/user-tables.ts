import type { RefusalCode } from '@fpay/contract/refusals';
import type { PaymentService } from '../payments/service.ts';
import type { Step } from '../platform/step.ts';
import type { UserTables } from '../platform/user-tables.ts';
import type { OperationStore } from './store.ts';

interface Dependencies {
  /** A user has one unpaid operation at most. */
  withdrawUnpaid: (step: Step, user: number, why: string) => Promise<unknown>;
}

export const chargingUserTables = ({ withdrawUnpaid }: Dependencies): UserTables => ({
  operations: {
    /** Open operations are published, so that pages and rights follow. */
    async onUserMerged(step, from, to) {
      const unpaid = await step.db
        .selectFrom('operations')
        .select('id')
        .where('user_id', '=', from)
        .where('status', '=', 'created')
        .executeTakeFirst();
      // The guest's operation is the newer one, so the account's own is withdrawn.
      if (unpaid) await withdrawUnpaid(step, to, 'replaced by a payment made as a guest');
      const moved = await step.db
        .updateTable('operations')
        .set({ user_id: to })
        .where('user_id', '=', from)
        .returning('id')
        .execute();
      for (const { id } of moved) step.publish('operation', id);
    },
    onUserDeleted: 'kept: the books and the statistics need charges; the name of their driver is erased with the user',
  },
});

/** Why an account cannot be deleted yet. A charge that waits for its final payment is a debt, not an open operation. */
export const openChargeOf =
  (operations: OperationStore, payments: Pick<PaymentService, 'hasOpen'>) =>
  async (step: Step, user: number): Promise<RefusalCode | null> => {
    const unpaid = await operations.unpaidOf(step, user);
    const isOpen = (await operations.openOf(user, step.db)).length > 0 || (await payments.hasOpen(step, user, unpaid));
    if (isOpen) return 'account_has_operations';
    return unpaid.length > 0 ? 'account_has_debt' : null;
  };
