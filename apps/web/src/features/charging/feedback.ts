import type { Operation, OperationStatus } from '@fpay/contract/charging';
import { feedbackAllowed } from '@fpay/contract/feedback';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { showError } from '../../data/action.ts';
import { serverNow } from './server-clock.ts';
import { isOperationOver, isRecent } from './status-view.ts';

/** A finished charge is rated; after a failed one we ask for the reason. */
export type FeedbackKind = 'rating' | 'issue';
const feedbackAfter: Partial<Record<OperationStatus, FeedbackKind>> = {
  finished: 'rating',
  pending_final_payment: 'rating',
  canceled: 'issue',
  failed: 'issue',
};

/** Long enough to read the result first. */
const delayMs = { rating: 2000, issue: 0 } as const satisfies Record<FeedbackKind, number>;

/**
 * What to ask the driver now, if anything. An answer or a refusal to answer is stored, so that the question appears
 * once.
 */
export function useFeedback(operation: Operation) {
  const { id, status, rating } = operation;
  // Months later nothing is remembered, and the question would stand in the way.
  const [isRecentVisit] = useState(() => isRecent(operation, serverNow()) || !isOperationOver(status));
  const asked = rating === null && isRecentVisit ? (feedbackAfter[status] ?? null) : null;
  const [open, setOpen] = useState<FeedbackKind | null>(null);

  useEffect(() => {
    if (!asked || sessionStorage.getItem(keyOf(id))) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => void ask(asked, leaving.signal), delayMs[asked]);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };

    async function ask(kind: FeedbackKind, { aborted }: AbortSignal) {
      try {
        const { allow } = await call(feedbackAllowed, { body: { charging_operation_id: id } });
        if (aborted) return;
        if (allow.startsWith('ALLOW')) setOpen(kind);
        else console.info('Feedback prohibited');
      } catch (error) {
        showError(error);
      }
    }
  }, [asked, id]);

  return {
    open,
    close() {
      sessionStorage.setItem(keyOf(id), 'asked');
      setOpen(null);
    },
  };
}

const keyOf = (id: number) => `fpay.feedback.${id}`;
