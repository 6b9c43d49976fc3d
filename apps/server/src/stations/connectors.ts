import { sql } from 'kysely';
import { type Database, preparedStatementMarker } from '../platform/database.ts';
import { bigints, integers } from '../platform/rows/binary-array.ts';
import type { Step } from '../platform/step.ts';
import { isUnderMaintenance } from './maintenance-windows.ts';
import { readTariff, type Tariff } from './tariff.ts';

export interface ConnectorOfDevice {
  id: number;
  station: number;
  /** Its number at the device. */
  ocppConnector: number;
  ratedW: number;
  type: string;
}

const select = (db: Database | Step['db']) =>
  db
    .selectFrom('connectors')
    .select(['id', 'station_id as station', 'ocpp_connector as ocppConnector', 'power_w as ratedW', 'type']);

/** The connectors of a device, by its id. */
export async function connectorsOfDevice(step: Step, chargePoint: number): Promise<ConnectorOfDevice[]> {
  return select(step.db).where('charge_point_id', '=', chargePoint).execute();
}

/** The connectors at these places, in their order; undefined where the network has none. */
export async function connectorsAt(
  step: Step,
  places: readonly { chargePointId: number; ocppConnector: number }[],
): Promise<(ConnectorOfDevice | undefined)[]> {
  const { rows } = await sql<ConnectorOfDevice & { position: number }>`${sql.raw(preparedStatementMarker)}
    select v.position, k.id, k.station_id as station, k.ocpp_connector as "ocppConnector", k.power_w as "ratedW", k.type
    from unnest(${integers([...places.keys()], (position) => position)}::int[],
      ${bigints(places, ({ chargePointId }) => chargePointId)}::bigint[],
      ${integers(places, ({ ocppConnector }) => ocppConnector)}::int[]) as v (position, charge_point_id, ocpp_connector)
      join connectors k on k.charge_point_id = v.charge_point_id and k.ocpp_connector = v.ocpp_connector`.execute(
    step.db,
  );
  const found: (ConnectorOfDevice | undefined)[] = places.map(() => undefined);
  for (const { position, ...connector } of rows) found[position] = connector;
  return found;
}

export async function findConnector(db: Database | Step['db'], id: number): Promise<ConnectorOfDevice> {
  return select(db).where('id', '=', id).executeTakeFirstOrThrow();
}

/** What the device reports about a connector, and since when by our clock. */
export async function reportedStatusOf(
  step: Step,
  connector: number,
): Promise<{ status: string | null; statusAt: Date | null }> {
  return step.db
    .selectFrom('connectors')
    .select(['ocpp_status as status', 'status_at as statusAt'])
    .where('id', '=', connector)
    .executeTakeFirstOrThrow();
}

/**
 * The current tariffs of connectors, for a charge that a card starts. Connectors without a tariff are left out, and those where
 * no charge may start: removed ones, those under maintenance, and those of a retired station.
 */
export async function tariffsOf(
  step: Step,
  which: { connector: number } | { chargePoint: number },
): Promise<{ station: number; tariff: Tariff }[]> {
  const rows = await step.db
    .selectFrom('connectors')
    .innerJoin('tariffs', 'tariffs.id', 'connectors.tariff_id')
    .innerJoin('stations', 'stations.id', 'connectors.station_id')
    .select(['connectors.station_id', 'tariffs.price', 'tariffs.hours', 'tariffs.discount', 'tariffs.idle'])
    .where('connectors.removed_at', 'is', null)
    .where('stations.retired_at', 'is', null)
    .where((of) => of.not(isUnderMaintenance))
    .$if('connector' in which, (query) => query.where('connectors.id', '=', 'connector' in which ? which.connector : 0))
    .$if('chargePoint' in which, (query) =>
      query.where('connectors.charge_point_id', '=', 'chargePoint' in which ? which.chargePoint : 0),
    )
    .execute();
  return rows.map(({ station_id, price, hours, discount, idle }) => ({
    station: station_id,
    tariff: readTariff({ price, hours, discount, idle }),
  }));
}

/** The station and the tariff of a connector, also of one where no charge may start. */
export async function connectorTariff(
  step: Step,
  connector: number,
): Promise<{ station: number; tariff: Tariff | null } | null> {
  const row = await step.db
    .selectFrom('connectors')
    .leftJoin('tariffs', 'tariffs.id', 'connectors.tariff_id')
    .select(['connectors.station_id', 'tariffs.price', 'tariffs.hours', 'tariffs.discount', 'tariffs.idle'])
    .where('connectors.id', '=', connector)
    .executeTakeFirst();
  if (!row) return null;
  const { station_id: station, price, hours, discount, idle } = row;
  return { station, tariff: price === null ? null : readTariff({ price, hours, discount, idle }) };
}

/** The numbers of stations by their ids. */
export async function stationNumbers(db: Database, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('stations').select(['id', 'number']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, number }) => [id, number]));
}

export interface RewardPromotion {
  id: number;
  terms: unknown;
  days: { from: string; to: string } | null;
}

/**
 * Promotions that credit a finished charge at this connector. At a virtual station the promotion of the real one
 * applies.
 */
export async function rewardsAt(step: Step, connector: number): Promise<RewardPromotion[]> {
  const rows = await step.db
    .selectFrom('promotions')
    .innerJoin('connectors', (join) => join.on('connectors.id', '=', connector))
    .select(['promotions.id', 'promotions.terms', 'promotions.from_day', 'promotions.to_day'])
    .where('promotions.kind', '=', 'reward')
    .where('promotions.is_waiting', '=', false)
    .whereRef('promotions.station_id', '=', 'connectors.station_id')
    .execute();
  return rows.map(({ id, terms, from_day: from, to_day: to }) => ({
    id,
    terms,
    days: from && to ? { from, to } : null,
  }));
}
