import type { AdminUser } from '@fpay/contract/admin/users';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { kopecks } from '@fpay/contract/money';
import { cancelBalanceTransaction } from '@fpay/contract/wallet';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { ReasonField } from '../parts/reasons/reason-field.tsx';
import { BalanceEffectView } from './balance-effect.tsx';
import { userViewQueries } from './queries.ts';

interface ReversalPopupProps {
  transaction: AdminUser['balance_transactions'][number];
  userId: number;
  balance: AdminUser['wallet']['balance'];
  onClose: () => void;
  onDone: () => void;
}

/** Reverses a balance transaction. A return to the card is never partial, so the two options exclude each other. */
export function ReversalPopup({ transaction, userId, balance, onClose, onDone }: ReversalPopupProps) {
  const text = useText();
  const [returnsPayment, setReturnsPayment] = useState(false);
  const [reason, setReason] = useState('');
  const body = { id: transaction.id, cancel_payment: returnsPayment, allow_partial: !returnsPayment };
  const reversing = useMutation({
    mutationFn: () => call(cancelBalanceTransaction, { body: { ...body, reason } }),
    onSuccess: onDone,
    onError: (error) => {
      void notify(`${text('adminUsers:notReversed')} ${text(errorText(error))}`);
      onClose();
      onDone();
    },
  });
  const preview = useQuery({
    ...userViewQueries.reversal(body),
    enabled: !reversing.isPending && !reversing.isSuccess,
  });
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={text('adminUsers:cancelTransaction', { id: transaction.id })}
      titleClassName="text-h2"
    >
      {reversing.data ? (
        <Reversed result={reversing.data} onClose={onClose} />
      ) : (
        <>
          {transaction.type === 'deposit' && (
            <Switch label={text('adminUsers:returnsPayment')} checked={returnsPayment} onChange={setReturnsPayment} />
          )}
          <ReasonField kind="refund" onChange={setReason} />
          {preview.data?.is_allowed !== false && (
            <ReversalEffect transaction={transaction} balance={balance} returnsPayment={returnsPayment} />
          )}
          {preview.data && <BalanceEffectView effect={preview.data} userId={userId} />}
          <div className="grid grid-cols-2 gap-2">
            <Button onPress={onClose}>{text('generic:no')}</Button>
            <Button
              kind="danger"
              disabled={reason === '' || preview.data?.is_allowed === false}
              busy={reversing.isPending}
              onPress={() => reversing.mutate()}
            >
              {text('admin:do')}
            </Button>
          </div>
        </>
      )}
    </PopupFrame>
  );
}

interface ReversedProps extends Pick<ReversalPopupProps, 'onClose'> {
  result: ReplyOf<typeof cancelBalanceTransaction>;
}

function Reversed({ result, onClose }: ReversedProps) {
  const text = useText();
  const language = useLanguage();
  return (
    <>
      <p role="status" className="rounded-control bg-free-tint p-3 text-note text-free">
        {result.approval_id === null
          ? text('adminUsers:reversedSum', { sum: formatMoney(result.reversed, {}, language) })
          : text('admin:awaitsApproval')}
      </p>
      <Button kind="main" onPress={onClose}>
        {text('generic:ok')}
      </Button>
    </>
  );
}

interface ReversalEffectProps extends Pick<ReversalPopupProps, 'transaction' | 'balance'> {
  returnsPayment: boolean;
}

/** What will move; not more is taken than the balance has. */
function ReversalEffect({ transaction: { amount }, balance, returnsPayment }: ReversalEffectProps) {
  const text = useText();
  const language = useLanguage();
  const sum = formatMoney(kopecks(Math.abs(amount)), {}, language);
  const available = formatMoney(kopecks(Math.min(balance, Math.abs(amount))), {}, language);
  return (
    <p className="rounded-control bg-surface-2 p-3 text-note">
      {amount <= 0
        ? text('adminUsers:willGiveBack', { sum })
        : returnsPayment
          ? text('adminUsers:willReturnToCard', { sum })
          : text('adminUsers:willTakeBack', { sum: available })}
    </p>
  );
}
