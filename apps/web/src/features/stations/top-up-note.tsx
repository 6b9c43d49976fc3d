import { useQuery, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect } from 'react';
import { backFromBank } from '../../api/back-from-bank.ts';
import { useText } from '../../i18n/use-text.ts';
import { useLocation, useSearchParams } from '../../router/index.ts';
import { classNames } from '../../ui/class-names.ts';
import { formatMoney } from '../../ui/money.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { accountQueries } from '../account/queries.ts';
import { walletQueries } from '../wallet/queries.ts';

const faces = {
  waiting: { look: 'bg-ready-tint text-ready', icon: <Spinner />, words: 'station:topUpWaiting' },
  success: {
    look: 'bg-free-tint text-free',
    icon: <CircleCheck aria-hidden="true" size={22} />,
    words: 'station:toppedUp',
  },
  failed: {
    look: 'bg-error-tint text-error',
    icon: <TriangleAlert aria-hidden="true" size={22} />,
    words: 'station:topUpFailed',
  },
} as const;

/** For whoever topped up on the way to a charge: what became of it. Stays as long as this visit to the station. */
export function TopUpNote() {
  const text = useText();
  const queryClient = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const { data: topUp } = useQuery(walletQueries.lastTopUp());
  const status = topUp?.payment_status ?? null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the answer is there.
  useEffect(() => {
    if (status === null) return;
    void queryClient.invalidateQueries(accountQueries.user());
    // A reload need not tell it again. The step the driver is at stays.
    const rest = new URLSearchParams(search);
    rest.delete(backFromBank);
    setSearch(rest, { replace: true, state, preventScrollReset: true });
  }, [status]);

  if (!topUp) return null;
  // Taken back: the money is on the card again, as if it had never left.
  const face = status === null ? faces.waiting : status === 'success' ? faces.success : faces.failed;
  return (
    <div
      role="status"
      className={classNames('mx-4 mb-3.5 flex items-center gap-3 rounded-card p-3.5 text-note', face.look)}
    >
      <span className="grid size-6 shrink-0 place-items-center">{face.icon}</span>
      <p className="min-w-0 flex-1 font-bold">{text(face.words, { sum: formatMoney(topUp.amount) })}</p>
      {status === null && topUp.page_url && (
        // In this tab: the bank sends its client back to this very page.
        <a href={topUp.page_url} className="-my-2 flex min-h-11 items-center rounded-control px-1 font-bold underline">
          {text('station:topUpBack')}
        </a>
      )}
    </div>
  );
}
