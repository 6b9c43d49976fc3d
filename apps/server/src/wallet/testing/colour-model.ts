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

  return {
    wallets,
    charges,
    owner: () => owner,
    /** The owner's sum, the party money in wallets, and what was charged from it. */
    partySum: () =>
      owner +
      wallets.reduce((all, { party }) => all + party, 0) +
      charges.reduce((all, { earned }) => all + earned.party, 0),

    /** False when it is refused. */
    act(action: ColourAction): boolean {
      switch (action.kind) {
        case 'topUpOwner':
          owner += action.amount;
          return true;
        case 'topUp':
          at(action.member).own += action.amount;
          return true;
        case 'ownerGives':
          if (owner < action.amount || !at(action.member).isInside) return false;
          owner -= action.amount;
          at(action.member).party += action.amount;
          return true;
        case 'givesToOwner':
          if (!at(action.member).isInside || !take(at(action.member), action.amount, 'own')) return false;
          owner += action.amount;
          return true;
        case 'chargeback':
          // A top-up goes back to its card.
          return take(at(action.member), action.amount, 'own_only') !== null;
        case 'gives': {
          const [from, to] = [at(action.member), at(action.to)];
          if (from === to || from.isInside !== to.isInside) return false;
          const parts = take(from, action.amount, 'own');
          if (parts) put(action.to, parts);
          return parts !== null;
        }
        case 'charge': {
          const reserve = take(at(action.member), action.amount, 'party');
          if (!reserve) return false;
          const earned = take(reserve, Math.min(action.total, action.amount), 'party');
          if (!earned) return false;
          put(action.member, reserve);
          charges.push({ member: action.member, deposit: action.amount, total: sumOf(earned), earned });
          return true;
        }
        case 'correct': {
          const charge = charges[action.charge];
          if (charge) correct(charge, action.amount);
          return charge !== undefined;
        }
        case 'reward': {
          const charge = charges[action.charge];
          if (!charge) return false;
          const amount = Math.min(action.amount, sumOf(charge.earned));
          const isPartys = paidByParty(charge.earned);
          const parts = take(charge.earned, amount, isPartys ? 'party' : 'own');
          if (parts) put(charge.member, isPartys ? { own: 0, party: amount } : parts);
          return true;
        }
        case 'leave': {
          const wallet = at(action.member);
          if (!wallet.isInside) return false;
          owner += wallet.party;
          wallet.party = 0;
          wallet.isInside = false;
          return true;
        }
        case 'join':
          if (at(action.member).isInside) return false;
          at(action.member).isInside = true;
          return true;
      }
    },
  };
}

export type ColourModel = ReturnType<typeof createColourModel>;
