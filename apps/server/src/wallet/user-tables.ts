import type { RefusalCode } from '@fpay/contract/refusals';
import { sql } from 'kysely';
import type { Step } from '../platform/step.ts';
import type { UserTables } from '../platform/user-tables.ts';
import type { WalletService } from './service.ts';

export const walletUserTables = ({ moveAll }: Pick<WalletService, 'moveAll'>): UserTables => ({
  wallets: {
    /** A promotion may have credited a guest, so the money in the wallet is moved along. */
    onUserMerged: moveAll,
    onUserDeleted: 'kept: the ledger needs every account that money went through, and it is empty by then',
  },
  staff_money_out: {
    /** What a guest got counts for the account that the guest joins. */
    async onUserMerged(step, from, to) {
      await step.db.updateTable('staff_money_out').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    onUserDeleted: 'kept: what staff gave away counts for a day and is a record of money',
  },
  transfers: {
    onUserMerged: 'kept: transfers are never changed, and they name accounts of the ledger beside users',
    onUserDeleted: 'kept: transfers are never changed, and the users that they name are erased',
  },
});

/** The wallet that belongs to this user, whichever they use at present. */
export async function ownWalletOf(step: Step, user: number): Promise<number> {
  const { id } = await step.db
    .selectFrom('wallets')
    .select('id')
    .where('owner_id', '=', user)
    .executeTakeFirstOrThrow();
  return id;
}

/** Why an account cannot be deleted yet. */
export async function moneyOf(step: Step, user: number): Promise<RefusalCode | null> {
  const { rows } = await sql<{ balance: number; is_shared: boolean }>`
    select a.balance, w.is_shared from wallets w join accounts a on a.id = w.id where w.owner_id = ${user}`.execute(
    step.db,
  );
  const [wallet] = rows;
  if (wallet && wallet.balance > 0) return 'account_has_balance';
  return wallet?.is_shared ? 'account_has_party' : null;
}
