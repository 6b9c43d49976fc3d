import type { Handler, v16 } from '@fpay/ocpp';
import type { Connection } from '../connection.ts';
import type { DeviceEvents } from '../events.ts';

/** No vendor's extension is implemented; what came is kept for staff. */
export const dataTransfer =
  (events: DeviceEvents): Handler<typeof v16.DataTransfer, Connection> =>
  async (request, { context, action, receivedAt, payload }) => {
    await events.notice(context, { kind: action, payload: request, raw: payload, receivedAt });
    return { status: 'UnknownVendorId' };
  };
