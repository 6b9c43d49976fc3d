import type { Kopecks } from '@fpay/contract/money';
import { buyBalance } from '@fpay/contract/wallet';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { backFromBank } from '../../api/back-from-bank.ts';
import { call } from '../../api/call.ts';
import { leaveFor } from '../../api/leave.ts';
import { text } from '../../i18n/i18n.ts';
import { notify } from '../../ui/overlay/popups.ts';

/** Accepts only station pages of ours: `/station/F1400`, `/station/v/F9001`. */
export function stationPage(path: string): string | null {
  return /^\/station\/(v\/)?[^/]+$/.test(path) ? path : null;
}

/** Opens the bank's page for a top-up, which returns to the balance, or to the station where the driver came from. */
export function useBuy(cameFrom: string | null) {
  const [isLeaving, setLeaving] = useState(false);

  // The browser may restore the page from its cache after the bank, with the form still locked.
  useEffect(() => {
    const unlock = () => setLeaving(false);
    addEventListener('pageshow', unlock);
    return () => removeEventListener('pageshow', unlock);
  }, []);

  const { mutate, isPending, error } = useMutation({
    mutationFn: (amount: Kopecks) =>
      call(buyBalance, {
        body: { amount, redirect_to: new URL(`${cameFrom ?? '/balance'}?${backFromBank}`, location.href).href },
      }),
    onSuccess: ({ page_url }) => {
      setLeaving(true);
      leaveFor(page_url);
    },
    onError: () => void notify(text('balance:buyFailed')),
  });
  return { buy: mutate, isPending: isPending || isLeaving, error };
}
