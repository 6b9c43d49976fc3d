import { kopecks, wattHours } from '@fpay/contract/money';
import type { PartyData, PartyOperation, PartyStats } from '@fpay/contract/party';
import { pageLimit } from '@fpay/contract/wire';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Viewer } from '../platform/http/session.ts';
import { datesOf } from '../platform/period-range.ts';
import { Refusal } from '../platform/refusal.ts';
import type { FiguresQuery, MemberFigures, PartyFigures } from './figures-store.ts';
import type { InvitationStore } from './invitations-store.ts';
import { ownedParty } from './owner.ts';
import { type AskedPeriod, partyPeriodOf } from './period.ts';
import type { PartyStations } from './ports.ts';
import { divided, percentageOfTotal, sharesOf } from './shares.ts';
import type { PartyStore } from './store.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  parties: Pick<PartyStore, 'ofUser'>;
  invitations: Pick<InvitationStore, 'ofParty'>;
  figures: PartyFigures;
  stations: PartyStations;
}

export interface AskedFigures extends AskedPeriod {
  user: number | 'all' | 'avg';
}

/** What owner and members see of their party. */
export function createPartyViews({ db, clock, parties, invitations, figures, stations }: Dependencies) {
  async function memberCount(party: number): Promise<number> {
    const rows = await db.selectFrom('party_members').select('user_id').where('party_id', '=', party).execute();
    return rows.length;
  }

  /** The query of an owner, and the number that its sums are divided by. */
  async function queryOf(viewer: Viewer, asked: AskedFigures): Promise<{ query: FiguresQuery; divisor: number }> {
    const party = ownedParty(await parties.ofUser(viewer.id), viewer);
    const members = await memberCount(party.id);
    const user = typeof asked.user === 'number' ? asked.user : null;
    if (user !== null && !(await figures.wasMember(party.id, user))) throw new Refusal('not_found');
    const query = { party: party.id, user, ...partyPeriodOf(asked, clock.now()), zone: asked.tz };
    return { query, divisor: asked.user === 'avg' ? members : 1 };
  }

  return {
    async data(viewer: Viewer): Promise<PartyData> {
      const party = await parties.ofUser(viewer.id);
      if (!party) throw new Refusal('not_found');
      const isOwner = party.ownerId === viewer.id;
      const [owner, members, open, own, stay] = await Promise.all([
        db.selectFrom('users').select(['name', 'icon']).where('id', '=', party.ownerId).executeTakeFirstOrThrow(),
        isOwner ? figures.members(party.id, clock.now()) : [],
        isOwner ? invitations.ofParty(party.id) : [],
        stations.ofParty(party.id),
        isOwner ? null : figures.ownStay(party.id, viewer.id),
      ]);
      return {
        party_name: party.name,
        is_closed: party.isClosed,
        is_owner: isOwner,
        owner,
        member_list: members.map((member) => memberOf(member, party.ownerId)),
        station_list: own.map(({ number, address, address_uk, is_online, connectors }) => ({
          number,
          address,
          address_uk,
          is_online,
          connectors: connectors.map(({ type, status, time_left }) => ({ type, status, time_left })),
        })),
        own: stay && {
          party_balance: kopecks(party.isClosed ? stay.party_balance : 0),
          own_balance: kopecks(party.isClosed ? stay.balance - stay.party_balance : stay.balance),
          charges: stay.charges,
        },
        invitations: open.map(({ id, phone_number, created_at }) => ({
          id,
          phone_number,
          created_at: created_at.toISOString(),
        })),
      };
    },

    async stats(viewer: Viewer, asked: AskedFigures): Promise<PartyStats> {
      const { query, divisor } = await queryOf(viewer, asked);
      const found = await figures.energy(query);
      return {
        ...sharesOf(found, divisor),
        charges: found.charges,
        by_station: found.stations.map(({ number, address, address_uk, ...sums }) => ({
          number,
          address,
          address_uk,
          ...sharesOf(sums, divisor),
          total_percentage: percentageOfTotal(sums.total, found.total),
        })),
        by_day: datesOf(query, query.zone).map((date) => ({
          date,
          energy: divided(found.days.get(date) ?? 0, divisor),
        })),
        by_user: [...found.users].map(([id, energy]) => ({ id, energy: wattHours(energy) })),
      };
    },

    async operations(
      viewer: Viewer,
      asked: AskedFigures,
      page: { before?: number | undefined; limit?: number | undefined },
    ): Promise<PartyOperation[]> {
      const { query } = await queryOf(viewer, asked);
      return figures.operations(query, { before: page.before, limit: page.limit ?? pageLimit.default });
    },
  };
}

export type PartyViews = ReturnType<typeof createPartyViews>;

function memberOf(row: MemberFigures, owner: number): PartyData['member_list'][number] {
  return {
    id: row.id,
    name: row.name,
    phone_number: row.phone_number,
    icon: row.icon,
    is_owner: row.id === owner,
    balance: kopecks(row.balance),
    party_balance: kopecks(row.party_balance),
    last_login: row.last_login_at?.toISOString() ?? null,
    operations_24h: row.operations_24h,
    energy_24h: wattHours(row.energy_24h),
    energy_week: wattHours(row.energy_week),
    allowance: row.allowance && { ...row.allowance, amount: kopecks(row.allowance.amount) },
  };
}
