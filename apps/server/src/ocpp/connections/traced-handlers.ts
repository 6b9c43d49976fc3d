import type { Handlers } from '@fpay/ocpp';
import { type Tracing, traceOperation } from '../../platform/watching/tracing.ts';
import type { DeviceConnection } from '../device/connection.ts';

/** The same handlers, each message a unit of the operator's traces. */
export function tracedHandlers(handlers: Handlers<DeviceConnection>, tracing: Tracing): Handlers<DeviceConnection> {
  if (!tracing.isOn) return handlers;
  const traced = [...handlers].map(([action, route]) => {
    const handle: typeof route.handle = (request, call) => {
      const attributes = { 'ocpp.action': action, 'fpay.charge_point': call.context.identity };
      return tracing.unit({ name: `OCPP ${action}`, kind: 'server', attributes }, async () => {
        const answer = await route.handle(request, call);
        const operation = operationOf(call.context, request);
        if (operation !== null) traceOperation(operation);
        return answer;
      });
    };
    return [action, { ...route, handle }] as const;
  });
  return new Map(traced);
}

/** Readings are written in batches of many charge points, so their operation is found by the transaction that they name. */
function operationOf({ transactions }: DeviceConnection, request: unknown): number | null {
  const { transactionId } = (request ?? {}) as { transactionId?: unknown };
  return typeof transactionId === 'number' ? (transactions?.get(transactionId)?.operationId ?? null) : null;
}
