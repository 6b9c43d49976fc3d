import type { Commands } from '../ocpp/commands/service.ts';
import { heedsTriggers } from '../ocpp/triggers.ts';
import type { Step } from '../platform/step.ts';
import { outcomeTo } from './starting.ts';
import type { Operation } from './store.ts';

interface Dependencies {
  commands: Pick<Commands, 'enqueue'>;
  ocppConnectorOf: (step: Step, connector: number) => Promise<number>;
}

export type AskReading = ReturnType<typeof createAskReading>;

/** Asks the device for a fresh reading, outside its usual interval, unless it ignores such questions. */
export function createAskReading({ commands, ocppConnectorOf }: Dependencies) {
  return async (step: Step, operation: Operation): Promise<void> => {
    if (!(await heedsTriggers(step.db, operation.chargePoint))) return;
    await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: 'TriggerMessage',
      payload: { requestedMessage: 'MeterValues', connectorId: await ocppConnectorOf(step, operation.connector) },
      operationId: operation.id,
      outcomeTo,
    });
  };
}
