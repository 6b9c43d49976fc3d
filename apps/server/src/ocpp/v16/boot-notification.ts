import type { Handler, v16 } from '@fpay/ocpp';
import type { Clock } from '../../platform/clock.ts';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';
import type { Timings } from '../timings.ts';

/** Every device with a key may work and there is nothing to wait for, so none gets `Pending`. */
export const bootNotification =
  (
    events: DeviceEvents,
    clock: Clock,
    { heartbeatIntervalMs }: Pick<Timings, 'heartbeatIntervalMs'>,
  ): Handler<typeof v16.BootNotification, DeviceConnection> =>
  async (request, { context }) => {
    await events.booted(context, {
      vendor: request.chargePointVendor,
      model: request.chargePointModel,
      serialNumber: request.chargePointSerialNumber ?? request.chargeBoxSerialNumber ?? null,
      firmwareVersion: request.firmwareVersion ?? null,
    });
    return {
      status: 'Accepted',
      currentTime: clock.now().toISOString(),
      interval: Math.max(1, Math.round(heartbeatIntervalMs / 1000)),
    };
  };
