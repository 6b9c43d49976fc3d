import { holdLabels, operationLabels } from '@fpay/contract/admin/filters';
import type { OperationStatus } from '@fpay/contract/charging';
import type { HoldStatus } from '@fpay/contract/payments';
import { Badge, type Tone } from '../../../ui/layout/badge.tsx';

const operationTones = {
  created: 'occupied',
  pending: 'ready',
  starting: 'ready',
  ongoing: 'charging',
  finishing: 'charging',
  finished: 'free',
  pending_final_payment: 'occupied',
  canceled: 'offline',
  failed: 'error',
  failed_hold: 'error',
} as const satisfies Record<OperationStatus, Tone>;

const holdTones = {
  pending: 'occupied',
  created: 'occupied',
  processing: 'occupied',
  hold: 'ready',
  success: 'free',
  failure: 'error',
  reversed: 'offline',
  expired: 'offline',
  unknown: 'error',
} as const satisfies Record<HoldStatus, Tone>;

/** The short label of the lists; the whole status is its tooltip. */
export function ShortStatus({ status }: { status: OperationStatus }) {
  return (
    <span title={status}>
      <Badge tone={operationTones[status]}>{operationLabels[status]}</Badge>
    </span>
  );
}

/** A free operation has no payment and so no hold. */
export function ShortHold({ hold }: { hold: HoldStatus | null }) {
  if (hold === null) return null;
  return (
    <span title={hold}>
      <Badge tone={holdTones[hold]}>{holdLabels[hold]}</Badge>
    </span>
  );
}
