import type { OperationStatus } from '@fpay/contract/charging';
import type { Step } from '../platform/step.ts';

/** What charging reports of an operation to other programs. Integrations implements it. */
export interface OperationEventsPort {
  /** In the step of the change; `before` is null for an operation that was just opened. */
  operationChanged(
    step: Step,
    change: { operation: number; before: OperationStatus | null; status: OperationStatus; at: Date },
  ): Promise<void>;
}
