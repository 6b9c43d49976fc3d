import type { Kopecks } from '@fpay/contract/money';
import { buyBalance } from '@fpay/contract/wallet';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { backFromBank } from '../../api/back-from-bank.ts';
import { call } from '../../api/call.ts';
import { leaveFor } from '../../api/leave.ts';
import { text } from '../../i18n/i18n.ts';
import { notify } from '../../ui/popups.ts';

/** Only a page of ours, and only one to charge from: `/station/F1400`, `/station/v/F9001`. */
export function stationPage(path: string): string | null {
  return /^\/station\/(v\/)?[^/]+$/.test(path) ? path : null;
}

/** Opens the bank's page for a top-up; it leads back to the balance, or to the station the driver came from. */
export function useBuy(cameFrom: string | null) {
  const [isLeaving, setLeaving] = useState(false);

  // The browser may bring the page back from the bank as it was left: locked.
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
