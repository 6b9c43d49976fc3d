import type { Handler, v16 } from '@fpay/ocpp';
import type { DeviceConnection } from '../connections/connection.ts';
import type { DeviceEvents } from '../transactions/events.ts';

export const authorize =
  (events: DeviceEvents): Handler<typeof v16.Authorize, DeviceConnection> =>
  async ({ idTag }, { context }) => ({ idTagInfo: { status: await events.authorize(context, idTag) } });
