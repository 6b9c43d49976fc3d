import type { PartyMember } from '@fpay/contract/party';

export const memberOrders = ['number', 'day', 'week'] as const;
export type MemberOrder = (typeof memberOrders)[number];

const orders = {
  number: (one, other) => one.id - other.id,
  day: (one, other) => other.energy_24h - one.energy_24h || one.id - other.id,
  week: (one, other) => other.energy_week - one.energy_week || one.id - other.id,
} as const satisfies Record<MemberOrder, (one: PartyMember, other: PartyMember) => number>;

/** Members whose name or number holds what was typed, in this order. */
export function shownMembers(members: readonly PartyMember[], typed: string, order: MemberOrder): PartyMember[] {
  const wanted = typed.trim().toLocaleLowerCase();
  const digits = wanted.replace(/\D/g, '');
  return members
    .filter(
      ({ name, phone_number }) =>
        name.toLocaleLowerCase().includes(wanted) || (digits !== '' && phone_number.includes(digits)),
    )
    .toSorted(orders[order]);
}
