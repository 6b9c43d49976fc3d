import type { Kopecks } from '@fpay/contract/money';
import { buyBalance } from '@fpay/contract/wallet';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { backFromBank } from '../../api/back-from-bank.ts';
import { call } from '../../api/call.ts';
import { leaveFor } from '../../api/leave.ts';
import { text } from '../../i18n/i18n.ts';
import { notify } from '../../ui/overlay/popups.ts';
import { walletQueries } from './queries.ts';

/** Accepts only station pages of ours: `/station/F1400`, `/station/v/F9001`. */
export function stationPage(path: string): string | null {
  return /^\/station\/(v\/)?[^/]+$/.test(path) ? path : null;
}

interface TopUpRequest {
  amount: Kopecks;
  /** The saved card that pays; null for the bank's page. */
  card: number | null;
  savesCard: boolean;
}

/**
 * Opens the bank's page for a top-up, which returns to the balance, or to the station where the driver came from. A saved
 * card pays without that page unless its bank asks for a confirmation; then `onPaid` runs at once.
 */
export function useBuy(cameFrom: string | null, onPaid: () => void) {
  const queryClient = useQueryClient();
  const [isLeaving, setLeaving] = useState(false);

  // The browser may restore the page from its cache after the bank, with the form still locked.
  useEffect(() => {
    const unlock = () => setLeaving(false);
    addEventListener('pageshow', unlock);
    return () => removeEventListener('pageshow', unlock);
  }, []);

  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ amount, card, savesCard }: TopUpRequest) =>
      call(buyBalance, {
        body: {
          amount,
          redirect_to: new URL(`${cameFrom ?? '/balance'}?${backFromBank}`, location.href).href,
          ...(card !== null && { card }),
          ...(savesCard && { save_card: true }),
        },
      }),
    onSuccess: ({ page_url }) => {
      if (new URL(page_url, location.href).origin === location.origin) {
        // The page may still show the result of the top-up before this one.
        void queryClient.resetQueries(walletQueries.lastTopUp());
        return onPaid();
      }
      setLeaving(true);
      leaveFor(page_url);
    },
    onError: (_error, { card }) => {
      void notify(text('balance:buyFailed'));
      // The card may have been removed or have expired on another device.
      if (card !== null) void queryClient.invalidateQueries(walletQueries.cards());
    },
  });
  return { buy: mutate, isPending: isPending || isLeaving, error };
}
