import type { Handler, v16 } from '@fpay/ocpp';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';

/** No vendor extension is implemented; the message is stored for staff. */
export const dataTransfer =
  (events: DeviceEvents): Handler<typeof v16.DataTransfer, DeviceConnection> =>
  async (request, { context, action, receivedAt, payload }) => {
    await events.notice(context, { kind: action, payload: request, raw: payload, receivedAt });
    return { status: 'UnknownVendorId' };
  };
