import { billedStatuses } from '@fpay/contract/charging';
import { isConnectorType } from '@fpay/contract/connectors';
import { kopecks, wattHours, watts } from '@fpay/contract/money';
import type { PartyOperation } from '@fpay/contract/party';
import { sql } from 'kysely';
import { type Database, literals } from '../platform/database.ts';
import type { EnergySums } from './shares.ts';

export interface MemberFigures {
  id: number;
  name: string;
  phone_number: string;
  icon: number;
  balance: number;
  party_balance: number;
  last_login_at: Date | null;
  operations_24h: number;
  energy_24h: number;
  energy_week: number;
  allowance: { amount: number; day: number; is_stopped: boolean } | null;
}

export interface FiguresQuery {
  party: number;
  /** A member, or null for everyone. */
  user: number | null;
  from: Date;
  to: Date;
  zone: string;
}

interface Figures extends EnergySums {
  charges: number;
  stations: (EnergySums & { number: string; address: string; address_uk: string })[];
  days: Map<string, number>;
  users: Map<number, number>;
}

interface GroupRow {
  station_id: number | null;
  day: string | null;
  member_id: number | null;
  /** Bits say which of the three columns a row is not grouped by. */
  level: number;
  total: number;
  free: number;
  party: number;
  charges: number;
}

const levels = { all: 7, station: 3, day: 5, member: 6 } as const;

/** Lists are by time and then by id; a page names only the id of the last one. */
/** A charge is the party's to see when it was opened during a stay (`m`). */
const within = (operations: string) =>
  sql<boolean>`${sql.ref(`${operations}.created_at`)} >= m.joined_at
    and (m.left_at is null or ${sql.ref(`${operations}.created_at`)} < m.left_at)`;

const isBefore = (id: number) =>
  sql<boolean>`(created_at, id) < (select created_at, id from operations where id = ${id})`;

/**
 * What a party's owner reads about members and stations. Charges count when they have a bill, as in a driver's own
 * statistics. Members count from joining to leaving, wherever they charged; everything else counts, without a name, where it
 * was charged at the party's stations.
 */
export function createPartyFigures(db: Database) {
  const billed = literals(billedStatuses);

  const readOperations = (
    { party, user, from: start, to: end }: FiguresQuery,
    { before, limit }: { before: number | undefined; limit: number },
  ) =>
    db
      .selectFrom('party_stays as m')
      // The newest of each stay are enough: the index by member and time has them, however many operations there are.
      .innerJoinLateral(
        (from) =>
          from
            .selectFrom('operations')
            .selectAll()
            .whereRef('user_id', '=', 'm.user_id')
            .where('created_at', '>=', start)
            .where('created_at', '<', end)
            .where(within('operations'))
            .$if(before !== undefined, (query) => query.where(isBefore(before ?? 0)))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .as('o'),
        (join) => join.onTrue(),
      )
      .innerJoin('users as u', 'u.id', 'o.user_id')
      .innerJoin('stations as s', 's.id', 'o.station_id')
      .innerJoin('connectors as c', 'c.id', 'o.connector_id')
      .leftJoin('cars', 'cars.id', 'o.car_id')
      .select([
        'o.id',
        'o.created_at',
        'o.closed_at',
        'o.energy_wh',
        'o.price',
        'o.total',
        'o.status',
        'o.payment_type',
      ])
      .select(['u.id as user_id', 'u.name', 'u.phone_number', 'u.icon', 'cars.name as car_name', 'm.left_at'])
      .select(['s.number', 's.address', 's.address_uk', 'c.type', 'c.ocpp_connector', 'c.power_w'])
      .where('m.party_id', '=', party)
      .$if(user !== null, (query) => query.where('m.user_id', '=', user))
      .orderBy('o.created_at', 'desc')
      .orderBy('o.id', 'desc')
      .limit(limit)
      .execute();

  type OperationRow = Awaited<ReturnType<typeof readOperations>>[number];

  function shown(row: OperationRow): PartyOperation | null {
    if (!isConnectorType(row.type)) return null;
    return {
      id: row.id,
      created_at: row.created_at.toISOString(),
      closed_at: row.closed_at?.toISOString() ?? null,
      energy: wattHours(row.energy_wh),
      price: kopecks(row.price),
      total: kopecks(row.total),
      user: {
        id: row.user_id,
        name: row.name,
        phone_number: row.left_at ? '' : row.phone_number,
        icon: row.icon,
      },
      status: row.status,
      payment_type: row.payment_type,
      station_number: row.number,
      address: row.address,
      address_uk: row.address_uk,
      connector_type: row.type,
      connector_number: String(row.ocpp_connector),
      connector_power: watts(row.power_w),
      car_name: row.car_name,
    };
  }

  return {
    async members(party: number, now: Date): Promise<MemberFigures[]> {
      const { rows } = await sql<MemberFigures>`
        select u.id, u.name, u.phone_number, u.icon, a.balance, a.party_balance, u.last_login_at, coalesce(o.operations_24h, 0)::int
            as operations_24h, coalesce(o.energy_24h, 0)::bigint as energy_24h, coalesce(o.energy_week, 0)::bigint as energy_week,
          case when l.id is not null then json_build_object('amount', l.amount, 'day', l.day,
            'is_stopped', l.stopped_at is not null) end as allowance
        from party_members m
          join users u on u.id = m.user_id
          join accounts a on a.id = u.wallet_id
          left join party_allowances l on l.user_id = u.id
          left join lateral (
            select count(*) filter (where created_at >= ${now}::timestamptz - interval '24 hours') as operations_24h,
              sum(energy_wh) filter (where created_at >= ${now}::timestamptz - interval '24 hours') as energy_24h,
              sum(energy_wh) as energy_week
            from operations
            where user_id = u.id and created_at >= greatest(${now}::timestamptz - interval '168 hours', m.joined_at)
              and created_at <= ${now}
              and status in (${billed})) o on true
        where m.party_id = ${party}
        order by u.id`.execute(db);
      return rows;
    },

    /** Whether this user is, or was, in the party. */
    async wasMember(party: number, user: number): Promise<boolean> {
      const row = await db
        .selectFrom('party_stays')
        .select('id')
        .where('party_id', '=', party)
        .where('user_id', '=', user)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** What a member is shown before leaving: the two parts of the wallet, and how many charges the owner goes on seeing. */
    async ownStay(
      party: number,
      user: number,
    ): Promise<{ balance: number; party_balance: number; charges: number } | null> {
      const { rows } = await sql<{ balance: number; party_balance: number; charges: number }>`
        select a.balance, a.party_balance, (
          select count(*)::int from party_stays m join operations o on o.user_id = m.user_id and ${within('o')}
          where m.party_id = ${party} and m.user_id = ${user} and o.status in (${billed})) as charges
        from users u join accounts a on a.id = u.wallet_id where u.id = ${user}`.execute(db);
      return rows[0] ?? null;
    },

    async energy({ party, user, from, to, zone }: FiguresQuery): Promise<Figures> {
      const ofOthers = sql`
        union all
        select o.station_id, null::bigint, o.created_at, o.energy_wh, o.price
        from stations s join operations o on o.station_id = s.id
        where s.party_id = ${party} and o.created_at >= ${from} and o.created_at < ${to} and o.status in (${billed})
          and not exists (select from party_stays m where m.party_id = ${party} and m.user_id = o.user_id and ${within('o')})`;
      const { rows } = await sql<GroupRow>`
        with found as (
          select o.station_id, m.user_id as member_id, o.created_at, o.energy_wh, o.price
          from party_stays m join operations o on o.user_id = m.user_id and ${within('o')}
          where m.party_id = ${party} ${user === null ? sql`` : sql`and m.user_id = ${user}`}
            and o.created_at >= ${from} and o.created_at < ${to} and o.status in (${billed})
          ${user === null ? ofOthers : sql``}
        ), dated as (
          select *, (created_at at time zone ${zone})::date::text as day from found
        )
        select station_id, day, member_id, grouping(station_id, day, member_id) as level,
          coalesce(sum(energy_wh), 0)::bigint as total,
          coalesce(sum(energy_wh) filter (where price = 0), 0)::bigint as free,
          coalesce(sum(energy_wh) filter (where member_id is not null), 0)::bigint as party,
          count(*)::int as charges
        from dated group by grouping sets ((), (station_id), (day), (member_id))`.execute(db);

      const at = (level: number) => rows.filter((row) => row.level === level);
      const [whole] = at(levels.all);
      const byStation = new Map(at(levels.station).map((row) => [row.station_id ?? 0, row]));
      const nothing = { total: 0, free: 0, party: 0 };
      const stations = await db
        .selectFrom('stations')
        .select(['id', 'number', 'address', 'address_uk'])
        .where((where) =>
          where.or([where('party_id', '=', party), where('id', '=', sql<number>`any (${[...byStation.keys()]})`)]),
        )
        .execute();
      return {
        total: whole?.total ?? 0,
        free: whole?.free ?? 0,
        party: whole?.party ?? 0,
        charges: whole?.charges ?? 0,
        stations: stations
          .map(({ id, ...station }) => {
            const { total, free, party: own } = byStation.get(id) ?? nothing;
            return { ...station, total, free, party: own };
          })
          .sort((one, other) => other.total - one.total || one.number.localeCompare(other.number)),
        days: new Map(at(levels.day).map((row) => [row.day ?? '', row.total])),
        users: new Map(
          at(levels.member).flatMap((row) => (row.member_id === null ? [] : [[row.member_id, row.total]])),
        ),
      };
    },

    async operations(
      query: FiguresQuery,
      page: { before: number | undefined; limit: number },
    ): Promise<PartyOperation[]> {
      const rows = await readOperations(query, page);
      return rows.map(shown).filter((operation) => operation !== null);
    },
  };
}

export type PartyFigures = ReturnType<typeof createPartyFigures>;
