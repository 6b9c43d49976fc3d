import { type Handlers, handlers, on, v16 } from '@fpay/ocpp';
import type { Clock } from '../../platform/clock.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';
import type { Timings } from '../timings.ts';
import { authorize } from './authorize.ts';
import { bootNotification } from './boot-notification.ts';
import { dataTransfer } from './data-transfer.ts';
import { heartbeat } from './heartbeat.ts';
import { meterValues } from './meter-values.ts';
import { notice } from './notice.ts';
import { startTransaction } from './start-transaction.ts';
import { statusNotification } from './status-notification.ts';
import { stopTransaction } from './stop-transaction.ts';

/** The handler of each message of a 1.6 charge point. */
export function createV16(
  events: DeviceEvents,
  clock: Clock,
  timings: Pick<Timings, 'heartbeatIntervalMs'>,
): Handlers<DeviceConnection> {
  return handlers<DeviceConnection>(
    on(v16.BootNotification, bootNotification(events, clock, timings)),
    on(v16.Heartbeat, heartbeat(clock)),
    on(v16.StatusNotification, statusNotification(events), { isJoined: true }),
    on(v16.Authorize, authorize(events)),
    on(v16.StartTransaction, startTransaction(events)),
    on(v16.MeterValues, meterValues(events)),
    on(v16.StopTransaction, stopTransaction(events)),
    on(v16.DataTransfer, dataTransfer(events)),
    on(v16.DiagnosticsStatusNotification, notice(events)),
    on(v16.FirmwareStatusNotification, notice(events)),
    on(v16.LogStatusNotification, notice(events)),
    on(v16.SecurityEventNotification, notice(events)),
  );
}
