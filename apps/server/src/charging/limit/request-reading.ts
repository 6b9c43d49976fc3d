import type { Commands } from '../../ocpp/commands/service.ts';
import { supportsTriggers } from '../../ocpp/commands/triggers.ts';
import type { Step } from '../../platform/step.ts';
import type { StoredOperation } from '../store.ts';

interface Dependencies {
  commands: Pick<Commands, 'enqueue'>;
  ocppConnectorOf: (step: Step, connector: number) => Promise<number>;
}

export type RequestReading = ReturnType<typeof createRequestReading>;

/** Requests a fresh reading from the device, outside its usual interval, unless it ignores such requests. */
export function createRequestReading({ commands, ocppConnectorOf }: Dependencies) {
  return async (step: Step, operation: StoredOperation): Promise<void> => {
    if (!(await supportsTriggers(step.db, operation.chargePoint))) return;
    await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: 'TriggerMessage',
      payload: { requestedMessage: 'MeterValues', connectorId: await ocppConnectorOf(step, operation.connector) },
      operationId: operation.id,
      outcomeTo: 'charging',
    });
  };
}
