import { useQuery, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { backFromBank } from '../../../api/back-from-bank.ts';
import { useText } from '../../../i18n/use-text.ts';
import { useLocation, useSearchParams } from '../../../router/index.ts';
import { Spinner } from '../../../ui/form/spinner.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useOnChange } from '../../../ui/hooks/use-on-change.ts';
import { accountQueries } from '../../account/queries.ts';
import { walletQueries } from '../../wallet/queries.ts';

const variants = {
  waiting: { look: 'bg-ready-tint text-ready', icon: <Spinner />, words: 'payment:topUpWaiting' },
  success: {
    look: 'bg-free-tint text-free',
    icon: <CircleCheck aria-hidden="true" size={22} />,
    words: 'payment:toppedUp',
  },
  failed: {
    look: 'bg-error-tint text-error',
    icon: <TriangleAlert aria-hidden="true" size={22} />,
    words: 'payment:topUpFailed',
  },
} as const;

/** Shows the result of a top-up that was made before a charge, during this visit to the station. */
export function TopUpNote() {
  const text = useText();
  const queryClient = useQueryClient();
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  const { data: topUp } = useQuery(walletQueries.lastTopUp());
  const status = topUp?.payment_status ?? null;

  // Once, when the answer is there.
  useOnChange([status], () => {
    if (status === null) return;
    void queryClient.invalidateQueries(accountQueries.user());
    // A reload must not show it again. The driver's step stays.
    const rest = new URLSearchParams(search);
    rest.delete(backFromBank);
    setSearch(rest, { replace: true, state, preventScrollReset: true });
  });

  if (!topUp) return null;
  // A reversed top-up counts as failed, because the money is on the card again.
  const variant = status === null ? variants.waiting : status === 'success' ? variants.success : variants.failed;
  return (
    <div
      role="status"
      className={classNames('mx-4 mb-3.5 flex items-center gap-3 rounded-card p-3.5 text-note', variant.look)}
    >
      <span className="grid size-6 shrink-0 place-items-center">{variant.icon}</span>
      <p className="min-w-0 flex-1 font-bold">{text(variant.words, { sum: formatMoney(topUp.amount) })}</p>
      {status === null && topUp.page_url && (
        // In this tab, because the bank returns its client to this page.
        <a href={topUp.page_url} className="-my-2 flex min-h-11 items-center rounded-control px-1 font-bold underline">
          {text('payment:topUpBack')}
        </a>
      )}
    </div>
  );
}
