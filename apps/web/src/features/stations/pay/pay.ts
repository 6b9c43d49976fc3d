import { newPayment } from '@fpay/contract/charging';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import { ApiError } from '../../../api/errors.ts';
import { leaveFor } from '../../../api/leave.ts';
import { text } from '../../../i18n/i18n.ts';
import { useNavigate, useSearchParams } from '../../../router/index.ts';
import { useOnce } from '../../../ui/hooks/use-when.ts';
import { notify } from '../../../ui/overlay/popups.ts';
import { accountQueries } from '../../account/queries.ts';
import { refIdOf } from './ref-id.ts';
import { forgetUnanswered, type PaymentBody, rememberUnanswered, unansweredAt } from './unanswered-payment.ts';
import { type PaymentWait, PaymentWithdrawn, sendPayment } from './unsent-payment.ts';

type Payment = Omit<PaymentBody, 'ref_id'>;

interface Rules {
  /** What is paid here. A payment of it that was sent before a reload is followed. */
  connector: number;
  /** A free charge must not lead to the bank. */
  isFree?: boolean;
  /** The tariff differs from the one on the page. The driver has to agree to it before anything is paid. */
  onNewPrice?: (price: Kopecks) => void;
}

/**
 * Sends the payment and follows the answer. A refusal only unlocks the form, which shows the reason. Without a network the
 * payment waits for at most a minute, and is withdrawn when the form is left.
 */
export function usePayment({ connector, isFree = false, onNewPrice }: Rules) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [search] = useSearchParams();
  const [isLeaving, setLeaving] = useState(false);

  const [wait, setWait] = useState<PaymentWait | null>(null);
  const attempt = useRef(new AbortController());

  // The browser may restore the page from its cache after the bank, with the form still locked.
  useEffect(() => {
    const unlock = ({ persisted }: PageTransitionEvent) => {
      setLeaving(false);
      // The driver now has an unpaid operation.
      if (persisted) void queryClient.invalidateQueries(accountQueries.user());
    };
    addEventListener('pageshow', unlock);
    return () => removeEventListener('pageshow', unlock);
  }, [queryClient]);

  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ body, wasSent }: { body: PaymentBody; wasSent: boolean }) => {
      attempt.current = new AbortController();
      return sendPayment((signal) => call(newPayment, { body, signal }), {
        signal: attempt.current.signal,
        wasSent,
        onWait: (now) => {
          if (now.kind === 'unanswered') rememberUnanswered(body);
          setWait(now);
        },
      });
    },
    onSettled: (_reply, error) => {
      setWait(null);
      // After a server error the money may have moved, and a repeat finds out.
      if (!(error instanceof ApiError && error.status >= 500)) forgetUnanswered();
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'price_changed' || error.price === null) return;
      onNewPrice?.(kopecks(error.price));
      void queryClient.invalidateQueries({ queryKey: ['stations'] });
    },
    onSuccess: ({ page_url }) => {
      if (page_url.startsWith('h') && !isFree) {
        setLeaving(true);
        leaveFor(page_url);
      } else if (page_url.startsWith('s')) {
        // The balance and the open operations have changed.
        void queryClient.invalidateQueries(accountQueries.user());
        void navigate(`/status/${page_url.slice(page_url.indexOf(':') + 1)}`);
      } else void notify(text('payment:strangeReply'));
    },
  });
  // After a reload.
  useOnce(() => {
    const body = unansweredAt(connector);
    if (body) mutate({ body, wasSent: true });
    return () => attempt.current.abort();
  });

  /** Another driver has the connector, or it broke, so this form can only be left. */
  const isTaken =
    error instanceof ApiError && (error.code === 'connector_taken' || error.code === 'connector_out_of_service');
  /** The site has no power left; the server names where a charge can begin instead. */
  const siteFull = error instanceof ApiError && error.code === 'site_full' ? error.free : null;
  return {
    pay: (payment: Payment) => mutate({ body: { ...payment, ref_id: refIdOf(search) }, wasSent: false }),
    isPending: isPending || isLeaving,
    /** Why nothing was paid; null when that is not so. */
    problem: error && (error instanceof PaymentWithdrawn ? ('payment:notSent' as const) : errorText(error)),
    /** The payment that waits for the network or for its answer. */
    wait,
    withdraw: () => attempt.current.abort(),
    isTaken,
    siteFull,
    forget: reset,
  };
}
