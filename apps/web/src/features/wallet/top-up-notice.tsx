import type { DeclineReason } from '@fpay/contract/payments';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import Undo2 from 'lucide-react/icons/undo-2';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Spinner } from '../../ui/form/spinner.tsx';
import { declineTexts } from '../../ui/format/decline-texts.ts';
import { formatMoney } from '../../ui/format/money.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { useOnChange } from '../../ui/hooks/use-on-change.ts';
import { accountQueries } from '../account/queries.ts';
import { walletQueries } from './queries.ts';

interface NoticeVariant {
  look: string;
  icon: ReactNode;
  title: TextKey;
  text: TextKey;
}

const variants = {
  waiting: {
    look: 'bg-ready-tint text-ready',
    icon: <Spinner />,
    title: 'balance:waiting',
    text: 'balance:waitingText',
  },
  success: {
    look: 'bg-free-tint text-free',
    icon: <CircleCheck aria-hidden="true" size={22} />,
    title: 'balance:toppedUp',
    text: 'balance:toppedUpText',
  },
  failed: {
    look: 'bg-error-tint text-error',
    icon: <TriangleAlert aria-hidden="true" size={22} />,
    title: 'balance:notPaid',
    text: 'balance:notPaidText',
  },
  reversed: {
    look: 'bg-offline-tint text-offline',
    icon: <Undo2 aria-hidden="true" size={22} />,
    title: 'balance:takenBack',
    text: 'balance:takenBackText',
  },
} as const satisfies Record<string, NoticeVariant>;

interface TopUpNoticeProps {
  /** Called when the bank has decided, so that a reload does not show it again. */
  onDecided: () => void;
  onClose: () => void;
  onRetry: () => void;
}

/** Shows the result of a payment after the return from the bank, or that the bank has not answered yet. */
export function TopUpNotice({ onDecided, onClose, onRetry }: TopUpNoticeProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const { data: topUp } = useQuery(walletQueries.lastTopUp());
  const status = topUp?.payment_status ?? null;

  // Once, when the answer is there.
  useOnChange([status], () => {
    if (status === null) return;
    // The transactions are reloaded with the balance.
    void queryClient.invalidateQueries(accountQueries.user());
    // The bank may have saved the card, or reported that it has expired.
    void queryClient.invalidateQueries(walletQueries.cards());
    onDecided();
  });

  if (!topUp) return null;
  const whyDeclined = (reason: DeclineReason, card: string) =>
    text(reason === 'not_enough_money' ? 'balance:declineMoney' : declineTexts[reason], { card }).replace('  ', ' ');
  const { look, icon, title, text: words } = variants[status ?? 'waiting'];
  const sum = formatMoney(topUp.amount);
  return (
    <div role="status" className={classNames('flex flex-col gap-3 rounded-card p-4', look)}>
      <div className="flex items-start gap-3">
        <span className="grid size-6 shrink-0 place-items-center">{icon}</span>
        <p className="min-w-0 flex-1">
          <strong className="block text-body font-bold">{text(title)}</strong>
          <span className="text-note text-ink">
            {status === 'failed' && topUp.decline_reason
              ? `${whyDeclined(topUp.decline_reason, topUp.card ?? '')} ${text('balance:notCharged', { sum })}`
              : text(words, { sum })}
          </span>
        </p>
        {status !== null && (
          <IconButton
            label={text('generic:close')}
            icon={<X size={20} />}
            onPress={onClose}
            className="-my-2.5 -mr-2.5"
          />
        )}
      </div>
      {status === null && topUp.page_url && (
        // In this tab, because the bank returns its client to this page.
        <a
          href={topUp.page_url}
          className="flex min-h-12 items-center justify-center rounded-control bg-surface px-4 text-center text-button text-ink uppercase active:bg-surface-2"
        >
          {text('balance:backToPayment')}
        </a>
      )}
      {status === 'failed' && (
        <Button kind="secondary" size="m" onPress={onRetry}>
          {text('generic:tryAgain')}
        </Button>
      )}
    </div>
  );
}
