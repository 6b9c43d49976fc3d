import type { OperationStatus } from '@fpay/contract/charging';
import type { Step } from '../platform/step.ts';

/** What charging reports of an operation to other programs. Integrations implements it. */
export interface OperationEventsPort {
  /** In the step of the change, which is the same for all of them; `before` is null for an operation that was just opened. */
  operationsChanged(
    step: Step,
    change: { operations: readonly number[]; before: OperationStatus | null; status: OperationStatus; at: Date },
  ): Promise<void>;
}
