import type { Audit } from '../platform/audit.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Steps } from '../platform/step.ts';
import type { WalletStore } from './store.ts';

interface Dependencies {
  steps: Steps;
  ledger: WalletStore;
  audit: Audit;
}

/**
 * Several users, one wallet: everybody pays from it, only its owner gives money away.
 * Each member's own wallet waits untouched and is theirs again when the sharing ends.
 */
export function createSharedWallets({ steps, ledger, audit }: Dependencies) {
  return {
    share: (staff: number, owner: number, members: readonly number[]): Promise<{ wallet_id: number }> =>
      steps.run(async (step) => {
        const everyone = [...new Set([owner, ...members])];
        await ledger.lockUsers(step, everyone);
        const holders = await Promise.all(everyone.map((user) => ledger.holder(user, step.db)));
        if (holders.some((holder) => holder === null)) throw new Refusal('user_not_found');
        const wallet = holders[0]?.wallet;
        const isGuest = holders.some((holder) => holder?.isTemporary);
        // A wallet inside another wallet would have two owners.
        const isTaken = holders.some((holder) => !holder?.ownsWallet && holder?.wallet !== wallet);
        if (!wallet || isGuest || isTaken || !holders[0]?.ownsWallet) throw new Refusal('wallet_not_shareable');
        // Whoever lends a wallet out cannot at the same time use somebody else's.
        const lenders = await step.db
          .selectFrom('wallets')
          .select('id')
          .where('owner_id', 'in', members)
          .where('is_shared', '=', true)
          .execute();
        if (lenders.length > 0) throw new Refusal('wallet_not_shareable');

        await step.db.updateTable('wallets').set({ is_shared: true }).where('id', '=', wallet).execute();
        await step.db.updateTable('users').set({ wallet_id: wallet }).where('id', 'in', members).execute();
        // All users of a shared wallet are on one side of a closed party's border.
        const sides = await ledger.closedSides(step, [wallet]);
        if (sides.length > 1) throw new Refusal('wallet_not_shareable');
        await audit(step, {
          staff,
          action: 'wallet.share',
          subject: { kind: 'user', id: owner },
          after: { wallet, members },
        });
        step.tell('wallet', wallet);
        return { wallet_id: wallet };
      }),

    dissolve: (staff: number, owner: number): Promise<{ wallet_id: number }> =>
      steps.run(async (step) => {
        await ledger.lockUsers(step, [owner]);
        const wallet = await step.db
          .updateTable('wallets')
          .set({ is_shared: false })
          .where('owner_id', '=', owner)
          .where('is_shared', '=', true)
          .returning('id')
          .executeTakeFirst();
        if (!wallet) throw new Refusal('wallet_not_shareable');
        const members = await step.db
          .updateTable('users')
          .from('wallets')
          .set((set) => ({ wallet_id: set.ref('wallets.id') }))
          .whereRef('wallets.owner_id', '=', 'users.id')
          .where('users.wallet_id', '=', wallet.id)
          .where('users.id', '!=', owner)
          .returning(['users.id', 'users.wallet_id'])
          .execute();
        const before = { wallet: wallet.id, members: members.map(({ id }) => id) };
        await audit(step, { staff, action: 'wallet.dissolve', subject: { kind: 'user', id: owner }, before });
        for (const { wallet_id } of members) step.tell('wallet', wallet_id);
        return { wallet_id: wallet.id };
      }),
  };
}

export type SharedWallets = ReturnType<typeof createSharedWallets>;
