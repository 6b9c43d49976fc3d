import { sql } from 'kysely';
import type { Database } from '../platform/database.ts';
import type { Range } from './range.ts';

const ended = ['finished', 'pending_final_payment', 'canceled', 'failed', 'failed_hold'] as const;

/** Read only: what a driver's operations and wallet look like over time. */
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
        .select('operations.payment_type')
        .where('operations.status', 'in', ended)
        .execute(),

    /** Charges that delivered something; those that are still running are counted when they end. */
    charges: (userId: number, range: Range) =>
      operations(userId, range)
        .select(['operations.created_at', 'operations.energy_wh', 'operations.total'])
        .select(['operations.car_id', 'operations.status'])
        .where('operations.status', 'in', ['finished', 'pending_final_payment'])
        .execute(),

    /** Not yet charged to the card, whenever it was: the driver owes it all the same. */
    async debt(userId: number): Promise<number> {
      const row = await db
        .selectFrom('operations')
        .select(sql<number>`coalesce(sum(total), 0)::bigint`.as('debt'))
        .where('user_id', '=', userId)
        .where('status', '=', 'pending_final_payment')
        .executeTakeFirstOrThrow();
      return row.debt;
    },

    /** What returned from a deposit was never spent, so it counts against what went out, not as something earned. */
    async wallet(userId: number, { from, to }: Range): Promise<{ earned: number; spent: number }> {
      const { rows } = await sql<{ earned: number; spent: number }>`
        select coalesce(sum(amount) filter (where is_in and not is_return), 0)::bigint as earned,
               (coalesce(sum(amount) filter (where not is_in), 0)
                 - coalesce(sum(amount) filter (where is_in and is_return), 0))::bigint as spent
        from (
          select t.amount, true as is_in, t.kind in ('operation_return', 'correction', 'refund_refused') as is_return
          from transfers t join users u on t.to_account = u.wallet_id
          where u.id = ${userId} and t.to_account >= 100 and t.created_at >= ${from} and t.created_at < ${to}
          union all
          select t.amount, false, false from transfers t join users u on t.from_account = u.wallet_id
          where u.id = ${userId} and t.from_account >= 100 and t.created_at >= ${from} and t.created_at < ${to}
        ) sides`.execute(db);
      return rows[0] ?? { earned: 0, spent: 0 };
    },
  };
}

export type StatsStore = ReturnType<typeof createStatsStore>;
