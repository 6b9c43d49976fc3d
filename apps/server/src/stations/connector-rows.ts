import { openStatuses } from '@fpay/contract/charging';
import type { Kysely } from 'kysely';
import type { DB } from '../platform/generated/database.ts';
import { type ConnectorFacts, connectorStatus } from './connector-status.ts';
import { isUnderMaintenance } from './maintenance-windows.ts';

/** Connectors with everything that their status depends on, for the station page, the map and a start. Removed ones are left out. */
export function selectConnectors(db: Kysely<DB>) {
  return db
    .selectFrom('connectors')
    .innerJoin('charge_points', 'charge_points.id', 'connectors.charge_point_id')
    .leftJoin('operations', (join) =>
      join.onRef('operations.connector_id', '=', 'connectors.id').on('operations.status', 'in', openStatuses),
    )
    .select((of) => [
      'connectors.id',
      'connectors.station_id',
      'connectors.charge_point_id',
      'connectors.ocpp_connector',
      'connectors.type',
      'connectors.ocpp_status',
      'charge_points.ocpp_status as charge_point_status',
      'charge_points.is_online',
      'operations.status as operation_status',
      of
        .exists(
          of
            .selectFrom('ocpp_transactions')
            .select('ocpp_transactions.id')
            .whereRef('ocpp_transactions.charge_point_id', '=', 'connectors.charge_point_id')
            .whereRef('ocpp_transactions.ocpp_connector', '=', 'connectors.ocpp_connector')
            .where('ocpp_transactions.stopped_at', 'is', null),
        )
        .as('is_in_transaction'),
      isUnderMaintenance.as('is_under_maintenance'),
    ])
    .where('connectors.removed_at', 'is', null);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectConnectors>['executeTakeFirstOrThrow']>>;

export function factsOf(row: Row): ConnectorFacts {
  return {
    ocppStatus: row.ocpp_status,
    chargePointStatus: row.charge_point_status,
    isChargePointOnline: row.is_online,
    isInTransaction: Boolean(row.is_in_transaction),
    isUnderMaintenance: row.is_under_maintenance,
    operationStatus: row.operation_status,
  };
}

/** In their order at the station, the same on its page and on the map. */
export function inPlace(a: { charge_point_id: number; ocpp_connector: number }, b: typeof a): number {
  return a.charge_point_id - b.charge_point_id || a.ocpp_connector - b.ocpp_connector;
}

/** Those of these connectors at which a driver could begin now, as far as the connector itself is concerned. */
export async function connectorsToBeginAt(db: Kysely<DB>, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await selectConnectors(db).where('connectors.id', 'in', ids).execute();
  const beginnable = rows.filter((row) => ['free', 'ready'].includes(connectorStatus(factsOf(row))));
  return new Set(beginnable.map(({ id }) => id));
}

/** Those of these connectors at which a car charges or is about to. */
export async function connectorsInUse(db: Kysely<DB>, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await selectConnectors(db).where('connectors.id', 'in', ids).execute();
  return rows.filter((row) => row.operation_status !== null || row.is_in_transaction).map(({ id }) => id);
}
