import type { Handler, v16 } from '@fpay/ocpp';
import type { Clock } from '../../platform/clock.ts';
import type { DeviceConnection } from '../device/connection.ts';

/** Sets the device's clock. Nothing is stored, because any frame shows that the device is connected. */
export const heartbeat =
  (clock: Clock): Handler<typeof v16.Heartbeat, DeviceConnection> =>
  () => ({ currentTime: clock.now().toISOString() });
