import type { NetworkParty, PartyItem } from '@fpay/contract/admin/network/parties';
import { kopecks } from '@fpay/contract/money';
import { sql } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';

/** Parties as staff see them. */
export interface PartyLists {
  list(): Promise<PartyItem[]>;
  /** @refuses not_found */
  one(id: number): Promise<NetworkParty>;
}

export function createPartyLists(db: Database): PartyLists {
  const rows = () =>
    db
      .selectFrom('parties')
      .innerJoin('users', 'users.id', 'parties.owner_id')
      .select([
        'parties.id',
        'parties.name',
        'parties.is_closed',
        'parties.owner_id',
        'users.name as owner_name',
        sql<number>`(select count(*) from party_members where party_id = parties.id)::int`.as('members'),
        sql<number>`(select count(*) from stations
          where party_id = parties.id and retired_at is null)::int`.as('stations'),
      ])
      .orderBy('parties.name');
  type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];
  const itemOf = ({ owner_id, owner_name, ...party }: Row): PartyItem => ({
    ...party,
    owner: { id: owner_id, name: owner_name?.trim() || null },
  });

  return {
    list: async () => (await rows().execute()).map(itemOf),

    async one(id) {
      const row = await rows().where('parties.id', '=', id).executeTakeFirst();
      if (!row) throw new Refusal('not_found');
      const members = await db
        .selectFrom('party_members')
        .innerJoin('users', 'users.id', 'party_members.user_id')
        .innerJoin('accounts', 'accounts.id', 'users.wallet_id')
        .select(['users.id', 'users.name', 'users.phone_number', 'accounts.balance'])
        .where('party_members.party_id', '=', id)
        .orderBy('party_members.joined_at')
        .orderBy('users.id')
        .execute();
      const stations = await db
        .selectFrom('stations')
        .select('number')
        .where('party_id', '=', id)
        .where('retired_at', 'is', null)
        .orderBy('number')
        .execute();
      return {
        ...itemOf(row),
        member_list: members.map((member) => ({
          id: member.id,
          name: member.name?.trim() || null,
          phone_number: member.phone_number,
          balance: kopecks(Number(member.balance)),
          is_owner: member.id === row.owner_id,
        })),
        station_numbers: stations.map(({ number }) => number),
      };
    },
  };
}
