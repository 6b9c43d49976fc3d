import {
  billedStatuses,
  chargingStatuses,
  finalStatuses,
  isAmong,
  type Operation,
  type OperationStatus,
  unbilledStatuses,
} from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import type { TextKey } from '../../i18n/text-key.ts';
import type { ShownStatus } from '../../ui/layout/status-badge.tsx';

interface StatusView {
  /** The colour of the hero. */
  tone: ShownStatus;
  title: TextKey;
  /** Null when the numbers are shown instead. */
  message: TextKey | null;
}

/** How each status is shown to the driver. */
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

/** The title before power flows. A free charge is not paid, so its first status is named like the next one. */
export function titleOf({ status, payment_type }: Operation): TextKey {
  return statusViews[status === 'pending' && payment_type === 'free' ? 'starting' : status].title;
}

/** True when energy flows and numbers are shown instead of a message. */
export function isShownCharging(status: OperationStatus): boolean {
  return isAmong(chargingStatuses, status);
}

/** True when the charge is over for the driver, although the payment may still be in progress. */
export function isFinished(status: OperationStatus): boolean {
  return isAmong(billedStatuses, status);
}

export function canRetry(status: OperationStatus): boolean {
  return isAmong(unbilledStatuses, status);
}

/** True when the operation can no longer change. */
export function isOperationOver(status: OperationStatus): boolean {
  return isAmong(finalStatuses, status);
}

/** True when there are numbers to show beside the hero; a free charge has none before power flows. */
export function hasNumbers({ status, payment_type }: Operation): boolean {
  if (status === 'created' || isFinished(status) || canRetry(status)) return false;
  return payment_type !== 'free' || isShownCharging(status);
}

/** Whole minutes since power began to flow; null before. */
export function elapsedMinutes({ started_at }: Operation, now: number): number | null {
  return started_at === null ? null : Math.max(0, Math.floor((now - Date.parse(started_at)) / 60_000));
}

/** After this time the driver has left, so the page neither asks for a rating nor reminds of the cable. */
const recentMs = 60 * 60_000;

export function isRecent({ finished_at, created_at }: Operation, now: number): boolean {
  return now - Date.parse(finished_at ?? created_at) < recentMs;
}

/** What the charge costs in the end. */
export const netTotalOf = ({ total, refunded }: Operation) => kopecks(total - (refunded?.amount ?? 0));
