import type { Handler, v16 } from '@fpay/ocpp';
import type { Connection } from '../connection.ts';
import type { DeviceEvents } from '../events.ts';

export const authorize =
  (events: DeviceEvents): Handler<typeof v16.Authorize, Connection> =>
  async ({ idTag }, { context }) => ({ idTagInfo: { status: await events.authorize(context, idTag) } });
