import { type Parts, paidByParty, partyPart } from '../colours.ts';
import type { Takes } from '../transfer.ts';

interface Wallet extends Parts {
  isInside: boolean;
}

interface Charge {
  member: number;
  deposit: number;
  /** What the charge costs; rewards take from its earnings and leave it. */
  total: number;
  /** What the operation keeps of the deposit, by colour. */
  earned: Parts;
}

/** What colluding members, their owner and the bank can do; numbers choose members and charges. */
export type ColourAction =
  | { kind: 'topUpOwner' | 'topUp' | 'ownerGives' | 'givesToOwner' | 'chargeback'; member: number; amount: number }
  | { kind: 'gives'; member: number; to: number; amount: number }
  | { kind: 'charge'; member: number; amount: number; total: number }
  | { kind: 'correct' | 'reward'; charge: number; amount: number }
  | { kind: 'leave' | 'join'; member: number };

const sumOf = ({ own, party }: Parts) => own + party;

/** Null: there is too little. */
function take(from: Parts, amount: number, takes: Takes): Parts | null {
  const party = partyPart(takes, amount, from);
  const own = amount - party;
  if (party > from.party || own > from.own) return null;
  from.party -= party;
  from.own -= own;
  return { own, party };
}

/**
 * The rules for the money of a closed party without a database: one owner and members, who may leave and come back. A
 * sum that is not there is refused by doing nothing.
 */
export function createColourModel(members: number) {
  let owner = 0;
  const wallets: Wallet[] = Array.from({ length: members }, () => ({ own: 0, party: 0, isInside: true }));
  const charges: Charge[] = [];
  const at = (member: number): Wallet => {
    const wallet = wallets[member];
    if (!wallet) throw new Error(`there is no member ${member}`);
    return wallet;
  };

  function put(member: number, { own, party }: Parts): void {
    const wallet = at(member);
    wallet.own += own;
    // Party money is in the wallets of members only.
    if (wallet.isInside) wallet.party += party;
    else owner += party;
  }

  function correct(charge: Charge, wanted: number): void {
    const { member, earned, deposit, total: settled } = charge;
    const most = Math.min(deposit, settled + sumOf(at(member)));
    const total = Math.max(settled - sumOf(earned), Math.min(wanted, most));
    charge.total = total;
    if (total < settled) {
      const back = take(earned, settled - total, 'own');
      if (back) put(member, back);
      return;
    }
    const more = take(at(member), total - settled, 'party');
    if (!more) return;
    earned.own += more.own;
    earned.party += more.party;
  }

  function give({ member, to, amount }: Extract<ColourAction, { kind: 'gives' }>): boolean {
    const [from, target] = [at(member), at(to)];
    if (from === target || from.isInside !== target.isInside) return false;
    const parts = take(from, amount, 'own');
    if (parts) put(to, parts);
    return parts !== null;
  }

  function charge({ member, amount, total }: Extract<ColourAction, { kind: 'charge' }>): boolean {
    const reserve = take(at(member), amount, 'party');
    const earned = reserve && take(reserve, Math.min(total, amount), 'party');
    if (!reserve || !earned) return false;
    put(member, reserve);
    charges.push({ member, deposit: amount, total: sumOf(earned), earned });
    return true;
  }

  function reward({ member, earned }: Charge, most: number): void {
    const amount = Math.min(most, sumOf(earned));
    const isPartys = paidByParty(earned);
    const parts = take(earned, amount, isPartys ? 'party' : 'own');
    if (parts) put(member, isPartys ? { own: 0, party: amount } : parts);
  }

  function leave(wallet: Wallet): boolean {
    if (!wallet.isInside) return false;
    owner += wallet.party;
    Object.assign(wallet, { party: 0, isInside: false });
    return true;
  }

  function join(wallet: Wallet): boolean {
    if (wallet.isInside) return false;
    wallet.isInside = true;
    return true;
  }

  function giveFromOwner(wallet: Wallet, amount: number): boolean {
    if (owner < amount || !wallet.isInside) return false;
    owner -= amount;
    wallet.party += amount;
    return true;
  }

  function giveToOwner(wallet: Wallet, amount: number): boolean {
    if (!wallet.isInside || !take(wallet, amount, 'own')) return false;
    owner += amount;
    return true;
  }

  const ofCharge = (index: number, change: (charge: Charge) => void): boolean => {
    const found = charges[index];
    if (found) change(found);
    return found !== undefined;
  };

  /** False when it is refused. */
  const acts: { [Kind in ColourAction['kind']]: (action: Extract<ColourAction, { kind: Kind }>) => boolean } = {
    topUpOwner({ amount }) {
      owner += amount;
      return true;
    },
    topUp({ member, amount }) {
      at(member).own += amount;
      return true;
    },
    ownerGives: ({ member, amount }) => giveFromOwner(at(member), amount),
    givesToOwner: ({ member, amount }) => giveToOwner(at(member), amount),
    // A top-up goes back to its card.
    chargeback: ({ member, amount }) => take(at(member), amount, 'own_only') !== null,
    gives: give,
    charge,
    correct: ({ charge: index, amount }) => ofCharge(index, (found) => correct(found, amount)),
    reward: ({ charge: index, amount }) => ofCharge(index, (found) => reward(found, amount)),
    leave: ({ member }) => leave(at(member)),
    join: ({ member }) => join(at(member)),
  };

  return {
    wallets,
    charges,
    owner: () => owner,
    /** The owner's sum, the party money in wallets, and what was charged from it. */
    partySum: () =>
      owner +
      wallets.reduce((all, { party }) => all + party, 0) +
      charges.reduce((all, { earned }) => all + earned.party, 0),

    act: (action: ColourAction): boolean => (acts[action.kind] as (of: ColourAction) => boolean)(action),
  };
}

export type ColourModel = ReturnType<typeof createColourModel>;
