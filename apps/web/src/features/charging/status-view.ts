import type { Operation, OperationStatus } from '@fpay/contract/charging';
import type { TextKey } from '../../i18n/text-key.ts';
import type { ShownStatus } from '../../ui/status-badge.tsx';

interface StatusView {
  /** The colour of the hero. */
  tone: ShownStatus;
  title: TextKey;
  /** Null: the numbers speak. */
  message: TextKey | null;
}

/** How each status is told to the driver. */
export const statusViews = {
  created: { tone: 'ready', title: 'status:awaiting_payment_confirmation', message: 'status:awaitingText' },
  pending: { tone: 'ready', title: 'status:pending', message: 'status:pendingText' },
  starting: { tone: 'ready', title: 'status:starting', message: 'status:startingText' },
  ongoing: { tone: 'charging', title: 'status:ongoing', message: null },
  finishing: { tone: 'charging', title: 'status:finishing', message: null },
  finished: { tone: 'free', title: 'status:finished', message: 'status:finishedText' },
  pending_final_payment: { tone: 'occupied', title: 'status:finished', message: 'status:settlingText' },
  canceled: { tone: 'offline', title: 'status:canceled', message: 'status:canceledText' },
  failed: { tone: 'error', title: 'status:failed', message: 'status:failedText' },
  failed_hold: { tone: 'error', title: 'status:failedHold', message: 'status:failedHoldText' },
} as const satisfies Record<OperationStatus, StatusView>;

/** Energy flows: numbers instead of a message. */
export function isCharging(status: OperationStatus): boolean {
  return status === 'ongoing' || status === 'finishing';
}

/** Money may still be on its way; for the driver it is over. */
export function isFinished(status: OperationStatus): boolean {
  return status === 'finished' || status === 'pending_final_payment';
}

export function canRetry(status: OperationStatus): boolean {
  return status === 'canceled' || status === 'failed' || status === 'failed_hold';
}

/** Nothing about it will change any more. */
export function isOver(status: OperationStatus): boolean {
  return status === 'finished' || canRetry(status);
}

/** Minutes between first and last energy; null unless both are known. */
export function minutesOf({ started_at, finished_at }: Pick<Operation, 'started_at' | 'finished_at'>): number | null {
  if (!started_at || !finished_at) return null;
  return Math.max(1, Math.round((Date.parse(finished_at) - Date.parse(started_at)) / 60_000));
}
