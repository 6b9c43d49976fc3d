import type { RefusalCode } from '@fpay/contract/refusals';
import { isStaff } from '@fpay/contract/roles';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import type { AccountNotifications } from '../notifications.ts';
import type { UserStore } from '../store.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  users: UserStore;
  outgoing: AccountNotifications;
  /** The reasons against a deletion, in this order. */
  obstacles: readonly ((step: Step, user: number) => Promise<RefusalCode | null>)[];
  /** Every feature erases the data that only this user needed. */
  onUserDeleted: (step: Step, user: number) => Promise<void>;
  ownWalletOf: (step: Step, user: number) => Promise<number>;
}

/** Deletes an account: operations and ledger stay, personal data is erased. */
export function createAccountDeletion(dependencies: Dependencies) {
  const { steps, clock, users, outgoing, obstacles, onUserDeleted, ownWalletOf } = dependencies;

  /** Each has its own reason, so that the driver knows what to do about it. */
  async function checkNothingIsOpen(step: Step, id: number): Promise<void> {
    for (const check of obstacles) {
      const code = await check(step, id);
      if (code) throw new Refusal(code);
    }
  }

  async function forget(step: Step, id: number): Promise<void> {
    await step.db
      .updateTable('users')
      .set({
        name: 'Deleted',
        // No phone starts like this, and the number itself is free for its next owner.
        phone_number: `DELETED${id}`,
        password_hash: null,
        icon: 4,
        active_car_id: null,
        telegram_id: null,
        // They use their own wallet again if they used a shared one, because they no longer pay from it.
        wallet_id: await ownWalletOf(step, id),
        deleted_at: clock.now(),
      })
      .where('id', '=', id)
      .execute();
    await onUserDeleted(step, id);
  }

  return {
    async leave(id: number): Promise<void> {
      await steps.run(async (step) => {
        // The key is locked too, so that no new operation or payment can refer to the account during the check.
        const row = await step.db
          .selectFrom('users')
          .select(['phone_number', 'language', 'role'])
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .forUpdate()
          .executeTakeFirst();
        if (!row) throw new Refusal('unauthenticated');
        if (isStaff(row.role)) throw new Refusal('account_is_staff');
        await checkNothingIsOpen(step, id);
        await forget(step, id);
        step.publish('signed-out', id);
        await users.note(step, id, 'user', 'deleted the account');
        await outgoing.notice(step, row.phone_number, row.language, { kind: 'account_deleted' });
      });
    },
  };
}

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;
