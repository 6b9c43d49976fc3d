import type { StationMaintenance } from '@fpay/contract/stations';
import type { MaintenanceWindow } from './maintenance-windows.ts';

/** Work at a whole station concerns each of its connectors, also where a virtual station lists them. */
export function isAbout(
  window: MaintenanceWindow,
  station: { id: number },
  connectors: readonly { id: number }[],
): boolean {
  if (window.connectorId === null) return window.stationId === station.id;
  return connectors.some(({ id }) => id === window.connectorId);
}

export function announced({ connectorId, reason, startsAt, endsAt }: MaintenanceWindow): StationMaintenance {
  return {
    connector_id: connectorId,
    reason,
    starts_at: startsAt.toISOString(),
    ends_at: endsAt?.toISOString() ?? null,
  };
}
