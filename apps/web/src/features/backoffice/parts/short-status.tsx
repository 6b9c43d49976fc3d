import { holdLabels, operationLabels } from '@fpay/contract/admin/filters';
import type { OperationStatus } from '@fpay/contract/charging';
import type { HoldStatus } from '@fpay/contract/payments';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
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

const holdTexts = {
  pending: 'admin:payPending',
  created: 'admin:payCreated',
  processing: 'admin:payProcessing',
  hold: 'admin:payHold',
  success: 'admin:paySuccess',
  failure: 'admin:payFailure',
  reversed: 'admin:payReversed',
  expired: 'admin:payExpired',
  unknown: 'admin:payUnknown',
} as const satisfies Record<HoldStatus, TextKey>;

/** The status of a payment in words. */
export function holdText(hold: HoldStatus): TextKey {
  return holdTexts[hold];
}

/** A free operation has no payment and so no hold. */
export function ShortHold({ hold }: { hold: HoldStatus | null }) {
  const text = useText();
  if (hold === null) return null;
  return (
    <span title={`${hold}: ${text(holdText(hold))}`}>
      <Badge tone={holdTones[hold]}>{holdLabels[hold]}</Badge>
    </span>
  );
}
