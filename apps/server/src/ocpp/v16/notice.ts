import type { InboundCall } from '@fpay/ocpp';
import type { DeviceConnection } from '../device/connection.ts';
import type { DeviceEvents } from '../device/events.ts';

/** Firmware, diagnostics, logs and security: accepted and stored for staff to read. */
export const notice =
  (events: DeviceEvents) =>
  async (
    request: object,
    { context, action, receivedAt, payload }: InboundCall<DeviceConnection>,
  ): Promise<Record<string, never>> => {
    await events.notice(context, { kind: action, payload: request, raw: payload, receivedAt });
    return {};
  };
