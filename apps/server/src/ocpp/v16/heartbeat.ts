import type { Handler, v16 } from '@fpay/ocpp';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../connection.ts';

/** Sets the device's clock. That it lives, any frame tells; nothing is stored. */
export const heartbeat =
  (clock: Clock): Handler<typeof v16.Heartbeat, Connection> =>
  () => ({ currentTime: clock.now().toISOString() });
