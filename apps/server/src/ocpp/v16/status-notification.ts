import { type Handler, isClockSet, type v16 } from '@fpay/ocpp';
import type { Connection } from '../connection.ts';
import type { DeviceEvents } from '../events.ts';

/** Stamps put statuses in order; one of a clock that was never set would put them in none. */
export const statusNotification =
  (events: DeviceEvents): Handler<typeof v16.StatusNotification, Connection> =>
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
