import { areOnOneSide } from '../party/membership.ts';
import type { PartyStore } from '../party/store.ts';
import type { Audit } from '../platform/audit.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { WalletStore } from './ledger.ts';
import { accountId } from './transfer.ts';

/** Several users, one wallet: all pay from it, only its owner gives money away. */
export interface SharedWallets {
  /** @refuses user_not_found, wallet_not_shareable */
  share(staff: number, owner: number, members: readonly number[]): Promise<{ wallet_id: number }>;
  /** @refuses wallet_not_shareable */
  dissolve(staff: number, owner: number): Promise<{ wallet_id: number }>;
}

export interface WalletUsers {
  /** From now on these users pay from this wallet. */
  useWallet(step: Step, users: readonly number[], wallet: number): Promise<void>;
  /** Writes a line into the log of a user. */
  note(step: Step, user: number, actor: string, text: string): Promise<void>;
}

interface Dependencies {
  steps: Steps;
  ledger: WalletStore;
  parties: Pick<PartyStore, 'sidesOf'>;
  audit: Audit;
  users: WalletUsers;
}

/**
 * Several users with one wallet: all of them pay from it, only its owner gives money away. Each member's own wallet
 * stays unchanged and is used again when the sharing ends.
 */
export function createSharedWallets({ steps, ledger, parties, audit, users }: Dependencies): SharedWallets {
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
        // A user who shares a wallet cannot use another user's wallet at the same time.
        const lenders = await step.db
          .selectFrom('wallets')
          .select('id')
          .where('owner_id', 'in', members)
          .where('is_shared', '=', true)
          .execute();
        if (lenders.length > 0) throw new Refusal('wallet_not_shareable');

        await step.db.updateTable('wallets').set({ is_shared: true }).where('id', '=', wallet).execute();
        await users.useWallet(step, members, wallet);
        // All users of a shared wallet must be in the same closed party, or in none.
        if (!areOnOneSide(await parties.sidesOf(step, [wallet]))) throw new Refusal('wallet_not_shareable');
        await audit(step, {
          staff,
          action: 'wallet.share',
          subject: { kind: 'user', id: owner },
          after: { wallet, members },
        });
        for (const member of members) await users.note(step, member, `staff ${staff}`, `pays from wallet ${wallet}`);
        step.publish('wallet', wallet);
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
        const members = await ledger.borrowersOf(step, accountId(wallet.id));
        for (const member of members) await users.useWallet(step, [member.user], member.ownWallet);
        const before = { wallet: wallet.id, members: members.map(({ user }) => user) };
        await audit(step, { staff, action: 'wallet.dissolve', subject: { kind: 'user', id: owner }, before });
        for (const { user, ownWallet } of members) {
          await users.note(step, user, `staff ${staff}`, `pays from wallet ${ownWallet} again`);
          step.publish('wallet', ownWallet);
        }
        return { wallet_id: wallet.id };
      }),
  };
}
