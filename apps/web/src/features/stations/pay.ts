import { newPayment } from '@fpay/contract/charging';
import type { CallInput } from '@fpay/contract/endpoint';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { leaveFor } from '../../api/leave.ts';
import { text } from '../../i18n/i18n.ts';
import { useNavigate, useSearchParams } from '../../router/index.ts';
import { notify } from '../../ui/overlay/popups.ts';
import { accountQueries } from '../account/queries.ts';
import { refIdOf } from './ref-id.ts';

type Payment = Omit<CallInput<typeof newPayment>['body'], 'ref_id'>;

interface Rules {
  /** A free charge must not lead to the bank. */
  isFree?: boolean;
  /** The tariff differs from the one on the page. The driver has to agree to it before anything is paid. */
  onNewPrice?: (price: Kopecks) => void;
}

/** Sends the payment and follows the answer. A refusal only unlocks the form, which shows the reason. */
export function usePayment({ isFree = false, onNewPrice }: Rules = {}) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [search] = useSearchParams();
  const [isLeaving, setLeaving] = useState(false);

  // The browser may restore the page from its cache after the bank, with the form still locked.
  useEffect(() => {
    const unlock = () => setLeaving(false);
    addEventListener('pageshow', unlock);
    return () => removeEventListener('pageshow', unlock);
  }, []);

  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (payment: Payment) => call(newPayment, { body: { ...payment, ref_id: refIdOf(search) } }),
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
  /** Another driver has the connector, or it broke, so this form can only be left. */
  const isTaken =
    error instanceof ApiError && (error.code === 'connector_taken' || error.code === 'connector_out_of_service');
  /** The site has no power left; the server names where a charge can begin instead. */
  const siteFull = error instanceof ApiError && error.code === 'site_full' ? error.free : null;
  return { pay: mutate, isPending: isPending || isLeaving, error, isTaken, siteFull, forget: reset };
}
