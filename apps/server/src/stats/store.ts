import { billedStatuses, endedStatuses } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { wentBackAmount, wentBackColumn } from '../payments/went-back.ts';
import type { Database } from '../platform/database.ts';
import { shownIncoming, shownOutgoing } from '../wallet/shown-transfers.ts';
import type { Range } from './range.ts';

/** Read only: a driver's operations and wallet over time. */
export function createStatsStore(db: Database) {
  const operations = (userId: number, { from, to }: Range) =>
    db
      .selectFrom('operations')
      .where('operations.user_id', '=', userId)
      .where('operations.created_at', '>=', from)
      .where('operations.created_at', '<', to)
      .orderBy('operations.id', 'desc');

  return {
    history: (userId: number, range: Range) =>
      operations(userId, range)
        .innerJoin('stations', 'stations.id', 'operations.station_id')
        .leftJoin('cars', 'cars.id', 'operations.car_id')
        .select(['operations.id', 'operations.created_at', 'operations.car_id', 'cars.name as car_name'])
        .select(['stations.number', 'operations.energy_wh', 'operations.total', 'operations.status'])
        .innerJoin('connectors', 'connectors.id', 'operations.connector_id')
        .leftJoin('payments', 'payments.operation_id', 'operations.id')
        .select(['operations.payment_type', 'operations.started_at', 'operations.finished_at'])
        .select(['stations.address', 'stations.address_uk', 'connectors.type'])
        .select(['payments.captured', 'payments.masked_pan', wentBackColumn('operations').as('refunded')])
        .where('operations.status', 'in', endedStatuses)
        .execute(),

    /** Charges that delivered energy; those that still run are counted when they end. */
    charges: (userId: number, range: Range) =>
      operations(userId, range)
        .leftJoin('payments', 'payments.operation_id', 'operations.id')
        .select(['operations.created_at', 'operations.energy_wh', 'operations.total'])
        .select(['operations.car_id', 'operations.status', wentBackAmount('operations').as('refunded')])
        .where('operations.status', 'in', billedStatuses)
        .execute(),

    /** Not yet captured from the card. The age does not matter, because the driver owes all of it. */
    async debt(userId: number): Promise<number> {
      const row = await db
        .selectFrom('operations')
        .select(sql<number>`coalesce(sum(total), 0)::bigint`.as('debt'))
        .where('user_id', '=', userId)
        .where('status', '=', 'pending_final_payment')
        .executeTakeFirstOrThrow();
      return row.debt;
    },

    /**
     * A returned part of a deposit was never spent, so it reduces the spent sum and is not earned. In a shared wallet
     * only the driver's own part counts; transfers without a user, like credits by staff, count for its owner.
     */
    async wallet(userId: number, { from, to }: Range): Promise<{ earned: number; spent: number }> {
      const { rows } = await sql<{ earned: number; spent: number }>`
        with mine as (
          select id, owner_id from wallets
          where owner_id = ${userId} or id = (select wallet_id from users where id = ${userId})
        ), sides as (
          select t.amount, true as is_in, t.kind in ('operation_return', 'correction', 'refund_refused') as is_return,
                 t.operation_id, t.payment_id, t.recipient_id as person, mine.owner_id
          from transfers t join mine on t.to_account = mine.id
          where ${shownIncoming}
            and t.created_at >= ${from} and t.created_at < ${to}
          union all
          select t.amount, false, false, t.operation_id, t.payment_id, t.sender_id, mine.owner_id
          from transfers t join mine on t.from_account = mine.id
          where ${shownOutgoing}
            and t.created_at >= ${from} and t.created_at < ${to}
        )
        select coalesce(sum(sides.amount) filter (where is_in and not is_return), 0)::bigint as earned,
               (coalesce(sum(sides.amount) filter (where not is_in), 0)
                 - coalesce(sum(sides.amount) filter (where is_return), 0))::bigint as spent
        from sides
        left join operations o on o.id = sides.operation_id
        left join payments p on p.id = sides.payment_id
        where coalesce(sides.person, o.user_id, p.user_id, sides.owner_id) = ${userId}`.execute(db);
      return rows[0] ?? { earned: 0, spent: 0 };
    },
  };
}

export type StatsStore = ReturnType<typeof createStatsStore>;
