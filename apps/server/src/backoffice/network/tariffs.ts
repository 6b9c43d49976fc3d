import type { networkTariff, TariffItem, TariffTerms } from '@fpay/contract/admin/network/tariffs';
import { openStatuses } from '@fpay/contract/charging';
import type { ReplyInput } from '@fpay/contract/endpoint';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { dayPrices, isFixedPrice, priceAt, readTariff } from '../../stations/tariff.ts';

/** Tariffs as staff see them. */
export interface TariffViews {
  /** @refuses pricing_unavailable */
  list(): Promise<TariffItem[]>;
  /** @refuses not_found, pricing_unavailable */
  one(id: number): Promise<ReplyInput<typeof networkTariff>>;
  preview(terms: TariffTerms, date: string): { hour: number; price: number; old_price: number | null }[];
}

const mostChanges = 200;

export function createTariffViews({ db, clock }: { db: Database; clock: Clock }): TariffViews {
  const rows = () =>
    db
      .selectFrom('tariffs')
      .selectAll('tariffs')
      .select([
        sql<number>`(select count(*) from connectors
          where connectors.tariff_id = tariffs.id and removed_at is null)::int`.as('connectors'),
        sql<number>`(select count(distinct station_id) from connectors
          where connectors.tariff_id = tariffs.id and removed_at is null)::int`.as('stations'),
        sql<boolean>`exists (select 1 from tariff_changes
          where tariff_changes.tariff_id = tariffs.id and status = 'planned')`.as('has_plan'),
        sql<boolean>`exists (select 1 from tariff_changes
          where tariff_changes.tariff_id = tariffs.id and status = 'waiting')`.as('has_waiting'),
      ]);
  type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

  function itemOf({ id, name, connectors, stations, has_plan, has_waiting, ...stored }: Row): TariffItem {
    const { price, hours, discount, idle } = stored;
    const terms = readTariff({ price, hours, discount, idle });
    const price_now = priceAt(terms, clock.now()).price;
    const is_fixed = isFixedPrice(name, terms);
    return { id, name, ...terms, connectors, stations, has_plan, is_waiting: has_waiting, price_now, is_fixed };
  }

  return {
    list: async () => (await rows().orderBy('name').execute()).map(itemOf),

    async one(id) {
      const row = await rows().where('tariffs.id', '=', id).executeTakeFirst();
      if (!row) throw new Refusal('not_found');
      const changes = await db
        .selectFrom('tariff_changes')
        .innerJoin('users', 'users.id', 'tariff_changes.staff_id')
        .selectAll('tariff_changes')
        .select('users.name as staff')
        .where('tariff_id', '=', id)
        .orderBy('tariff_changes.starts_at', 'desc')
        .orderBy('tariff_changes.id', 'desc')
        .limit(mostChanges)
        .execute();
      const { running } = await db
        .selectFrom('operations')
        .innerJoin('connectors', 'connectors.id', 'operations.connector_id')
        .select((of) => of.cast<number>(of.fn.countAll(), 'integer').as('running'))
        .where('connectors.tariff_id', '=', id)
        .where('operations.status', 'in', openStatuses)
        .executeTakeFirstOrThrow();
      return {
        ...itemOf(row),
        running,
        changes: changes.map(({ id: change, price, hours, discount, idle, starts_at, status, staff }) => ({
          id: change,
          ...readTariff({ price, hours, discount, idle }),
          starts_at: starts_at.toISOString(),
          status: status as 'waiting' | 'planned' | 'applied' | 'withdrawn',
          staff: staff ?? '',
        })),
      };
    },

    preview: (terms, date) =>
      dayPrices(terms, date).map(({ hour, price, oldPrice }) => ({ hour, price, old_price: oldPrice })),
  };
}
