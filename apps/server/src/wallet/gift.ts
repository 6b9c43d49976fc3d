import { type Kopecks, kopecks } from '@fpay/contract/money';
import { areOnOneSide } from '../party/membership.ts';
import type { PartyStore } from '../party/store.ts';
import type { Clock } from '../platform/clock.ts';
import { kyivDayStart } from '../platform/kyiv-time.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { WalletStore, WalletUser } from './ledger.ts';
import { maskedName } from './masked-name.ts';
import { lockParts, ownerWalletOf } from './party-parts.ts';
import type { WalletService } from './service.ts';
import { type AccountId, accountId, type Transfer } from './transfer.ts';
import { ownWalletOf } from './user-tables.ts';

/** Money from one driver to another. */
export interface Gifts {
  /**
   * The masked name of the recipient of a gift; refused as the gift itself would be.
   * @refuses user_not_found, only_owner_gifts, invalid_input, transfer_refused
   */
  recipientName(asked: { sender: number; to: string }): Promise<{ name: string }>;
  /**
   * Gives once per request key and returns the sender's balance.
   * @refuses user_not_found, only_owner_gifts, insufficient_balance, invalid_input, transfer_refused
   */
  give(gift: Gift): Promise<{ balance: Kopecks }>;
  /**
   * A member leaves a closed party, or the party is opened: what came from the party returns to the owner in the same
   * step, and the member's own money stays. Returns the sum.
   */
  returnToOwner(step: Step, people: { member: number; owner: number }): Promise<Kopecks>;
  /**
   * Gives the same amount to each of these users in the caller's step: to all of them or to none. Returns the sender's
   * balance.
   * @refuses user_not_found, only_owner_gifts, insufficient_balance, invalid_input, transfer_refused
   */
  giveEach(step: Step, gifts: EqualGifts): Promise<Kopecks>;
  /** Tops a balance up to an amount. Null: the sender's wallet is too small or may not give to this user. */
  topUpTo(step: Step, order: TopUpOrder): Promise<Kopecks | null>;
  /**
   * What decides whether a member may leave a closed party. Until the step ends no gift, no payment and no deposit
   * changes these wallets: a deposit that is set aside now would return to the member on the other side of the border.
   * @refuses user_not_found
   */
  lockForLeaving(
    step: Step,
    people: { member: number; owner: number },
  ): Promise<{ own: Kopecks; party: Kopecks; isShared: boolean }>;
  balanceOf(step: Step, user: number): Promise<Kopecks>;
  /**
   * Until the step ends, no gift reaches or leaves this user.
   * @refuses user_not_found
   */
  lockForJoining(step: Step, user: number): Promise<WalletUser>;
}

interface Dependencies {
  steps: Steps;
  ledger: WalletStore;
  wallet: WalletService;
  parties: Pick<PartyStore, 'sidesOf' | 'ofUser'>;
  clock: Clock;
  /** How much one user may give away in a day of Kyiv time. */
  giftsPerDay: Kopecks;
}

export interface Gift {
  sender: number;
  /** As typed by the sender. */
  to: string;
  amount: Kopecks;
  /** Identifies the signed request; a repeat of it gives nothing more. */
  requestKey: string;
}

export interface EqualGifts {
  sender: number;
  recipients: readonly number[];
  amount: Kopecks;
  requestKey: string;
}

export interface TopUpOrder {
  sender: number;
  recipient: number;
  upTo: Kopecks;
  key: string;
}

/** Money between users, and the rules for it. */
export function createGifts({ steps, ledger, wallet, parties, clock, giftsPerDay }: Dependencies): Gifts {
  const phoneOf = (typed: string) => `+${typed.replace(/\D/g, '')}`;

  /**
   * Refuses for the sender's own reasons before it looks up the recipient, so that a sender who cannot give learns
   * nothing about a number.
   */
  function checkSender(sender: WalletUser | null, amount: Kopecks): WalletUser {
    if (!sender) throw new Refusal('user_not_found');
    if (!sender.ownsWallet) throw new Refusal('only_owner_gifts');
    if (sender.balance < amount) throw new Refusal('insufficient_balance');
    return sender;
  }

  function checkRecipient(sender: WalletUser, recipient: WalletUser | null): WalletUser {
    if (!recipient) throw new Refusal('user_not_found');
    if (sender.user === recipient.user) {
      throw new Refusal('invalid_input', { fields: { to: ['This is your own phone number.'] } });
    }
    const mayReceive = !recipient.isTemporary && recipient.role !== 'Guest' && recipient.role !== 'Banned';
    if (!mayReceive || sender.wallet === recipient.wallet) throw new Refusal('transfer_refused');
    return recipient;
  }

  /**
   * The colour of a gift. What the owner of a closed party gives is the party's money from then on, and what reaches the
   * owner is the owner's. The owner of a shared wallet decides nothing about the party's money in it.
   */
  async function colourOf(step: Step, sender: WalletUser, to: AccountId, amount: Kopecks): Promise<Partial<Transfer>> {
    const party = await parties.ofUser(sender.user, step.db);
    if (!party?.isClosed) return {};
    if (party.ownerId === sender.user) return { arriving: amount, party: party.id };
    const isShared = ((await ledger.usersOf(sender.wallet, step.db))?.users.length ?? 1) > 1;
    const { wallet: ownersWallet } = await ownerWalletOf(step, party.id);
    return { ...(isShared && { takes: 'own_only' as const }), ...(to === ownersWallet && { arriving: 0 }) };
  }

  return {
    async recipientName({ sender: senderId, to }: Pick<Gift, 'sender' | 'to'>): Promise<{ name: string }> {
      return steps.run(async (step) => {
        const ends = await ledger.giftEnds(step, senderId, phoneOf(to));
        const sender = checkSender(ends.sender, kopecks(0));
        const recipient = checkRecipient(sender, ends.recipient);
        const sides = await parties.sidesOf(step, [sender.wallet, recipient.wallet]);
        if (!areOnOneSide(sides)) throw new Refusal('transfer_refused');
        return { name: maskedName(recipient.name) };
      });
    },

    async give({ sender: senderId, to, amount, requestKey }: Gift): Promise<{ balance: Kopecks }> {
      const key = `gift:${requestKey}`;
      return steps.run(async (step) => {
        await ledger.queueGifts(step, senderId);
        // A repeat after a crash finds the gift made, although the balance may no longer allow another.
        if (!(await ledger.isMade(step, key))) {
          const ends = await ledger.giftEnds(step, senderId, phoneOf(to));
          const sender = checkSender(ends.sender, amount);
          const recipient = checkRecipient(sender, ends.recipient);
          const sides = await parties.sidesOf(step, [sender.wallet, recipient.wallet]);
          const gifted = await ledger.giftedSince(step, senderId, kyivDayStart(clock.now()));
          if (!areOnOneSide(sides) || gifted + amount > giftsPerDay) throw new Refusal('transfer_refused');
          const people = { sender: sender.user, recipient: recipient.user };
          const colour = await colourOf(step, sender, recipient.wallet, amount);
          await wallet.transfer(step, [
            { key, kind: 'gift', from: sender.wallet, to: recipient.wallet, amount, ...people, ...colour },
          ]);
        }
        const left = await ledger.holder(senderId, step.db);
        return { balance: left?.balance ?? kopecks(0) };
      });
    },

    async giveEach(step: Step, { sender: senderId, recipients, amount, requestKey }: EqualGifts): Promise<Kopecks> {
      const keyOf = (recipient: number) => `gift:${requestKey}:${recipient}`;
      await ledger.queueGifts(step, senderId);
      const [first = 0] = recipients;
      if (!(await ledger.isMade(step, keyOf(first)))) {
        const users = await ledger.giftUsers(step, [senderId, ...recipients]);
        const sum = kopecks(amount * recipients.length);
        const sender = checkSender(users.get(senderId) ?? null, sum);
        const receiving = recipients.map((id) => checkRecipient(sender, users.get(id) ?? null));
        const sides = await parties.sidesOf(step, [sender.wallet, ...receiving.map(({ wallet }) => wallet)]);
        const gifted = await ledger.giftedSince(step, senderId, kyivDayStart(clock.now()));
        if (!areOnOneSide(sides) || gifted + sum > giftsPerDay) throw new Refusal('transfer_refused');
        const gifts: Transfer[] = [];
        for (const { user, wallet: to } of receiving) {
          const people = { sender: senderId, recipient: user };
          const colour = await colourOf(step, sender, to, amount);
          gifts.push({ key: keyOf(user), kind: 'gift', from: sender.wallet, to, amount, ...people, ...colour });
        }
        await wallet.transfer(step, gifts);
      }
      return (await ledger.holder(senderId, step.db))?.balance ?? kopecks(0);
    },

    async topUpTo(step: Step, order: TopUpOrder): Promise<Kopecks | null> {
      const { sender: senderId, recipient: recipientId, upTo, key } = order;
      const users = await ledger.giftUsers(step, [senderId, recipientId]);
      const [sender, recipient] = [users.get(senderId), users.get(recipientId)];
      if (!sender?.ownsWallet || !recipient || recipient.role !== 'User' || sender.wallet === recipient.wallet)
        return null;
      if (!areOnOneSide(await parties.sidesOf(step, [sender.wallet, recipient.wallet]))) return null;
      const balances = await ledger.lock(step, [sender.wallet, recipient.wallet]);
      const amount = kopecks(Math.max(0, upTo - (balances.get(recipient.wallet) ?? 0)));
      if (amount === 0) return amount;
      if ((balances.get(sender.wallet) ?? 0) < amount) return null;
      const ends = { from: sender.wallet, to: recipient.wallet, sender: senderId, recipient: recipientId };
      const colour = await colourOf(step, sender, recipient.wallet, amount);
      await wallet.transfer(step, [{ key, kind: 'allowance', amount, ...ends, ...colour }]);
      return amount;
    },

    async lockForLeaving(step: Step, { member, owner }: { member: number; owner: number }) {
      await ledger.lockUsers(step, [member, owner]);
      const from = await ledger.holder(member, step.db);
      const to = await ledger.holder(owner, step.db);
      if (!from || !to) throw new Refusal('user_not_found');
      await ledger.lock(step, [from.wallet, to.wallet]);
      const users = await ledger.usersOf(from.wallet, step.db);
      const isShared = !from.ownsWallet || (users?.users.length ?? 1) > 1;
      return { ...(await lockParts(step, ledger, from.wallet)), isShared };
    },

    async balanceOf(step: Step, user: number): Promise<Kopecks> {
      return (await ledger.holder(user, step.db))?.balance ?? kopecks(0);
    },

    async lockForJoining(step: Step, user: number): Promise<WalletUser> {
      await ledger.lockUsers(step, [user]);
      const found = await ledger.holder(user, step.db);
      if (!found) throw new Refusal('user_not_found');
      return found;
    },

    async returnToOwner(step: Step, { member, owner }: { member: number; owner: number }): Promise<Kopecks> {
      await ledger.lockUsers(step, [member, owner]);
      const from = accountId(await ownWalletOf(step, member));
      const to = accountId(await ownWalletOf(step, owner));
      await ledger.lock(step, [from, to]);
      const { party: amount } = await lockParts(step, ledger, from);
      if (amount === 0) return kopecks(0);
      // The party's own row changes in this step and can do so only once, so this is never repeated.
      const key = `party-return:${member}:${clock.now().toISOString()}`;
      await wallet.transfer(step, [
        { key, kind: 'party_return', from, to, amount, sender: member, recipient: owner, arriving: 0 },
      ]);
      return amount;
    },
  };
}
