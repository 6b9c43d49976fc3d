import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';

/** Outbox topic: this station looks different now. The ref is the station's id. */
export const stationTopic = 'station';

/** A stamp further ahead of us than this comes from a wrong clock; kept, it would outrank every true one that follows. */
const aheadAtMostMs = 60_000;

export interface StatusReport {
  chargePointId: number;
  /** 0 is the charge point as a whole. */
  ocppConnector: number;
  status: string;
  errorCode: string;
  /** The device's own stamp; null when it sent none. */
  deviceAt: Date | null;
}

/** `older`: it came late, a newer word is known. `noSuchConnector`: the device has more connectors than we were told of. */
export type StatusOutcome = 'changed' | 'same' | 'older' | 'noSuchConnector';

/** How the gateway tells what devices say of themselves. Each change is told to whoever shows the station. */
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

  /** Only stamps of the same clock can be compared, so a word without one, or with an impossible one, counts as the newest. */
  function usableStamp({ deviceAt }: StatusReport): Date | null {
    return deviceAt && deviceAt.getTime() - clock.now().getTime() <= aheadAtMostMs ? deviceAt : null;
  }

  return {
    async setStatus(step: Step, report: StatusReport): Promise<StatusOutcome> {
      const isWhole = report.ocppConnector === 0;
      const before = isWhole
        ? await step.db
            .selectFrom('charge_points')
            .select(['ocpp_status', 'error_code', 'status_device_at'])
            .where('id', '=', report.chargePointId)
            .forUpdate()
            .executeTakeFirst()
        : await step.db
            .selectFrom('connectors')
            .select(['ocpp_status', 'error_code', 'status_device_at'])
            .where('charge_point_id', '=', report.chargePointId)
            .where('ocpp_connector', '=', report.ocppConnector)
            .forUpdate()
            .executeTakeFirst();
      if (!before) return 'noSuchConnector';
      const stamp = usableStamp(report);
      if (stamp && before.status_device_at && stamp < before.status_device_at) return 'older';

      const news = {
        ocpp_status: report.status,
        error_code: report.errorCode,
        // Since when it has been so, however often it is said.
        ...(before.ocpp_status === report.status ? {} : { status_at: clock.now() }),
        ...(stamp ? { status_device_at: stamp } : {}),
      };
      if (isWhole) {
        await step.db.updateTable('charge_points').set(news).where('id', '=', report.chargePointId).execute();
      } else {
        await step.db
          .updateTable('connectors')
          .set(news)
          .where('charge_point_id', '=', report.chargePointId)
          .where('ocpp_connector', '=', report.ocppConnector)
          .execute();
      }
      if (before.ocpp_status === report.status && before.error_code === report.errorCode) return 'same';
      if (before.ocpp_status !== report.status) await tellStationsOf(step, [report.chargePointId]);
      return 'changed';
    },

    /**
     * A device that boots may have set its clock back: from here on its stamps start anew, or a word from before would
     * outrank all that follow.
     */
    async forgetStamps(step: Step, chargePointId: number): Promise<void> {
      const forgotten = { status_device_at: null };
      await step.db.updateTable('charge_points').set(forgotten).where('id', '=', chargePointId).execute();
      await step.db.updateTable('connectors').set(forgotten).where('charge_point_id', '=', chargePointId).execute();
    },

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
