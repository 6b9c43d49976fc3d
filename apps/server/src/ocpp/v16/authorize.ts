import type { Handler, v16 } from '@fpay/ocpp';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';

export const authorize =
  (events: DeviceEvents): Handler<typeof v16.Authorize, DeviceConnection> =>
  async ({ idTag }, { context }) => ({ idTagInfo: { status: await events.authorize(context, idTag) } });
