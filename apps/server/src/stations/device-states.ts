import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';

/** Outbox topic: this station looks different now. The ref is the station's id. */
export const stationTopic = 'station';

/** Whether devices are connected, and outbox rows for stations that look different. Statuses are in `ocpp/status-store.ts`. */
export function createDeviceStates({ clock }: { clock: Clock }) {
  async function tellStationsOf(step: Step, chargePointIds: readonly number[]): Promise<void> {
    const rows = await step.db
      .selectFrom('connectors')
      .select('station_id')
      .distinct()
      .where('charge_point_id', 'in', chargePointIds)
      .execute();
    for (const { station_id } of rows) step.tell(stationTopic, station_id);
  }

  return {
    /** Returns those that were not so before. Up to some thousands at once, as when a node dies with all its sockets. */
    async setOnline(step: Step, chargePointIds: readonly number[], isOnline: boolean): Promise<number[]> {
      if (chargePointIds.length === 0) return [];
      const rows = await step.db
        .updateTable('charge_points')
        .set({ is_online: isOnline, online_changed_at: clock.now() })
        .where('id', 'in', chargePointIds)
        .where('is_online', '!=', isOnline)
        .returning('id')
        .execute();
      const changed = rows.map(({ id }) => id);
      if (changed.length > 0) await tellStationsOf(step, changed);
      return changed;
    },

    /** For charging: an operation took the connector, began or let go of it. */
    async tellConnector(step: Step, connectorId: number): Promise<void> {
      const row = await step.db
        .selectFrom('connectors')
        .select('station_id')
        .where('id', '=', connectorId)
        .executeTakeFirstOrThrow();
      step.tell(stationTopic, row.station_id);
    },

    /** For party: it was closed or opened, so its stations disappear for others or appear to them. */
    async tellParty(step: Step, partyId: number): Promise<void> {
      const rows = await step.db.selectFrom('stations').select('id').where('party_id', '=', partyId).execute();
      for (const { id } of rows) step.tell(stationTopic, id);
    },
  };
}

export type DeviceStates = ReturnType<typeof createDeviceStates>;
