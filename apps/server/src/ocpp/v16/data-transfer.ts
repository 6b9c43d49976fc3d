import type { Handler, v16 } from '@fpay/ocpp';
import type { Connection } from '../connection.ts';
import type { DeviceEvents } from '../events.ts';

/** We speak no vendor's dialect; what was said is kept for whoever wants to read it. */
export const dataTransfer =
  (events: DeviceEvents): Handler<typeof v16.DataTransfer, Connection> =>
  async (request, { context, action, receivedAt }) => {
    await events.notice(context, { kind: action, payload: request, receivedAt });
    return { status: 'UnknownVendorId' };
  };
