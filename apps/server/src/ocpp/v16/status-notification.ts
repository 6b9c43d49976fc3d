import { type Handler, isClockSet, type v16 } from '@fpay/ocpp';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';

/** Timestamps order the statuses; that of a clock that was never set is not used. */
export const statusNotification =
  (events: DeviceEvents): Handler<typeof v16.StatusNotification, DeviceConnection> =>
  async ({ connectorId, status, errorCode, timestamp }, { context, receivedAt }) => {
    const deviceAt = timestamp === undefined ? null : Date.parse(timestamp);
    await events.connectorStatus(context, {
      ocppConnector: connectorId,
      status,
      errorCode,
      deviceAt: deviceAt !== null && isClockSet(deviceAt) ? deviceAt : null,
      receivedAt,
    });
    return {};
  };
