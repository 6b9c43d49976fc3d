import type { InboundCall } from '@fpay/ocpp';
import type { Connection } from '../connection.ts';
import type { DeviceEvents } from '../events.ts';

/** Firmware, diagnostics, logs and security: accepted and kept, for staff to read. */
export const notice =
  (events: DeviceEvents) =>
  async (
    request: object,
    { context, action, receivedAt, payload }: InboundCall<Connection>,
  ): Promise<Record<string, never>> => {
    await events.notice(context, { kind: action, payload: request, raw: payload, receivedAt });
    return {};
  };
