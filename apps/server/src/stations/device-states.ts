import type { Step } from '../platform/step.ts';

/** Publishes stations that look different because of their devices, an operation or a party. Refuses nothing. */
export interface DeviceStates {
  /** For the gateway: these devices went online or offline. Some thousands at once when a node dies with all its sockets. */
  publishStationsOf(step: Step, chargePointIds: readonly number[]): Promise<void>;
  /** For charging: an operation occupied the connector, started on it or released it. */
  publishConnector(step: Step, connectorId: number): Promise<void>;
  /** For party: it was closed or opened, so its stations disappear for others or appear to them. */
  publishParty(step: Step, partyId: number): Promise<void>;
}

/** Publishes stations that look different because of their devices, an operation or a party. */
export function createDeviceStates(): DeviceStates {
  /** For the gateway: these devices went online or offline. */
  async function publishStationsOf(step: Step, chargePointIds: readonly number[]): Promise<void> {
    if (chargePointIds.length === 0) return;
    const rows = await step.db
      .selectFrom('connectors')
      .select('station_id')
      .distinct()
      .where('charge_point_id', 'in', chargePointIds)
      .execute();
    for (const { station_id } of rows) step.publish('station', station_id);
  }

  return {
    publishStationsOf,

    async publishConnector(step: Step, connectorId: number): Promise<void> {
      const row = await step.db
        .selectFrom('connectors')
        .select('station_id')
        .where('id', '=', connectorId)
        .executeTakeFirstOrThrow();
      step.publish('station', row.station_id);
    },

    async publishParty(step: Step, partyId: number): Promise<void> {
      const rows = await step.db.selectFrom('stations').select('id').where('party_id', '=', partyId).execute();
      for (const { id } of rows) step.publish('station', id);
    },
  };
}
