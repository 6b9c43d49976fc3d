import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Clock } from '../platform/clock.ts';
import { kyivDayStart } from '../platform/kyiv-time.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { maskedName } from './masked-name.ts';
import type { WalletService } from './service.ts';
import type { Holder, WalletStore } from './store.ts';

interface Dependencies {
  steps: Steps;
  ledger: WalletStore;
  wallet: WalletService;
  clock: Clock;
  /** How much one user may give away in a day of Kyiv time. */
  giftsPerDay: Kopecks;
}

export interface Gift {
  sender: number;
  /** As typed. */
  to: string;
  amount: Kopecks;
  /** The signed request: a repeat of it gives nothing more. */
  requestKey: string;
}

/** Money between users, and what may not pass between them. */
export function createGifts({ steps, ledger, wallet, clock, giftsPerDay }: Dependencies) {
  const phoneOf = (typed: string) => `+${typed.replace(/\D/g, '')}`;

  /** Refuses for the sender's own reasons before it looks at the recipient, so that a sender who cannot give learns nothing about a number. */
  function checkSender(sender: Holder | null, amount: Kopecks): Holder {
    if (!sender) throw new Refusal('user_not_found');
    if (!sender.ownsWallet) throw new Refusal('only_owner_gifts');
    if (sender.balance < amount) throw new Refusal('insufficient_balance');
    return sender;
  }

  function checkRecipient(sender: Holder, recipient: Holder | null): Holder {
    if (!recipient) throw new Refusal('user_not_found');
    if (sender.user === recipient.user) {
      throw new Refusal('invalid_input', { fields: { to: ['This is your own phone number.'] } });
    }
    const mayReceive = !recipient.isTemporary && recipient.role !== 'Guest' && recipient.role !== 'Banned';
    if (!mayReceive || sender.wallet === recipient.wallet) throw new Refusal('transfer_refused');
    return recipient;
  }

  return {
    /** The masked name of whom a gift would go to; refused as the gift itself would be. */
    async recipientName({ sender: senderId, to }: Pick<Gift, 'sender' | 'to'>): Promise<{ name: string }> {
      return steps.run(async (step) => {
        const ends = await ledger.giftEnds(step, senderId, phoneOf(to));
        const sender = checkSender(ends.sender, kopecks(0));
        const recipient = checkRecipient(sender, ends.recipient);
        const sides = await ledger.closedSides(step, [sender.wallet, recipient.wallet]);
        if (sides.length > 1) throw new Refusal('transfer_refused');
        return { name: maskedName(recipient.name) };
      });
    },

    async give({ sender: senderId, to, amount, requestKey }: Gift): Promise<{ balance: Kopecks }> {
      const key = `gift:${requestKey}`;
      return steps.run(async (step) => {
        await ledger.queueGifts(step, senderId);
        // A repeat after a crash finds the gift made, though the balance may no longer allow another.
        if (!(await ledger.isMade(step, key))) {
          const ends = await ledger.giftEnds(step, senderId, phoneOf(to));
          const sender = checkSender(ends.sender, amount);
          const recipient = checkRecipient(sender, ends.recipient);
          const wallets = [sender.wallet, recipient.wallet];
          const facts = await ledger.giftFacts(step, { sender: senderId, wallets, since: kyivDayStart(clock.now()) });
          // All users of either wallet must be on one side of every closed party's border.
          if (facts.sides > 1 || facts.gifted + amount > giftsPerDay) throw new Refusal('transfer_refused');
          const people = { sender: sender.user, recipient: recipient.user };
          await wallet.transfer(step, [
            { key, kind: 'gift', from: sender.wallet, to: recipient.wallet, amount, ...people },
          ]);
        }
        const left = await ledger.holder(senderId, step.db);
        return { balance: left?.balance ?? kopecks(0) };
      });
    },

    /**
     * A member leaves a closed party, or it opens: what was its money inside goes back to the owner in the same step.
     * Gives what was returned.
     */
    async returnToOwner(step: Step, { member, owner }: { member: number; owner: number }): Promise<Kopecks> {
      await ledger.lockUsers(step, [member, owner]);
      const from = await ledger.holder(member, step.db);
      const to = await ledger.holder(owner, step.db);
      if (!from || !to) throw new Refusal('user_not_found');
      if (!from.ownsWallet || from.wallet === to.wallet) throw new Refusal('only_owner_gifts');
      const amount = (await ledger.lock(step, [from.wallet, to.wallet])).get(from.wallet) ?? kopecks(0);
      if (amount === 0) return kopecks(0);
      // Nothing is repeated here: the party's own row changes in this step and can do so only once.
      const key = `party-return:${member}:${clock.now().toISOString()}`;
      await wallet.transfer(step, [
        { key, kind: 'party_return', from: from.wallet, to: to.wallet, amount, sender: member, recipient: owner },
      ]);
      return amount;
    },
  };
}

export type Gifts = ReturnType<typeof createGifts>;
