import type { AdminUser } from '@fpay/contract/admin/users';
import type { BalanceTransactionType } from '@fpay/contract/wallet';
import Check from 'lucide-react/icons/check';
import Undo2 from 'lucide-react/icons/undo-2';
import { useState } from 'react';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useOwnMoney } from '../parts/own-money.tsx';
import { useMay } from '../parts/use-may.ts';
import { ReversalPopup } from './reversal-popup.tsx';

type Transaction = AdminUser['balance_transactions'][number];

const names = {
  admin: 'adminUsers:txAdmin',
  deposit: 'adminUsers:txDeposit',
  gift_from: 'adminUsers:txGiftFrom',
  gift_to: 'adminUsers:txGiftTo',
  operation_payment: 'adminUsers:txPayment',
  operation_return: 'adminUsers:txReturn',
  payment_reversal: 'adminUsers:txReversal',
  promo: 'adminUsers:txPromo',
} as const satisfies Record<BalanceTransactionType, TextKey>;

/** The balance transactions, the newest first, each with its cancel button. */
export function BalanceTab({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const text = useText();
  const mayCancel = useMay('manage-balance-transactions');
  const reason = useOwnMoney(user.own_money);
  const [chosen, setChosen] = useState<Transaction | null>(null);
  if (user.balance_transactions.length === 0)
    return <p className="p-6 text-center text-body text-ink-2">{text('adminUsers:noTransactions')}</p>;
  return (
    <>
      <ul aria-label={text('adminUsers:balance')} className="divide-y divide-line">
        {user.balance_transactions.map((transaction) => (
          <TransactionRow
            key={transaction.id}
            transaction={transaction}
            cancel={mayCancel ? { isLocked: reason !== null, onPress: () => setChosen(transaction) } : null}
          />
        ))}
      </ul>
      {chosen && (
        <ReversalPopup
          transaction={chosen}
          userId={user.id}
          balance={user.wallet.balance}
          onClose={() => setChosen(null)}
          onDone={onDone}
        />
      )}
    </>
  );
}

interface TransactionRowProps {
  transaction: Transaction;
  /** Null without the permission; locked when it is the staff member's own money. */
  cancel: { isLocked: boolean; onPress: () => void } | null;
}

function TransactionRow({ transaction, cancel }: TransactionRowProps) {
  const text = useText();
  return (
    <li className="flex min-h-14 items-center gap-3">
      <span className="min-w-0 flex-1">
        {/* A positive payment is a return. */}
        <span className="block text-note font-bold">
          {text(
            transaction.type === 'operation_payment' && transaction.amount > 0
              ? 'adminUsers:txReturn'
              : names[transaction.type],
          )}
        </span>
        <span className="block text-small text-ink-2">
          {transaction.date} {transaction.time} · {transaction.id} <About transaction={transaction} />
        </span>
      </span>
      <Money
        amount={transaction.amount}
        signed
        className={classNames('text-note font-bold', transaction.amount > 0 && 'text-free')}
      />
      {cancel &&
        (transaction.is_reversed ? (
          <span
            role="img"
            aria-label={text('adminUsers:reversed')}
            className="grid size-11 place-items-center text-ink-3"
          >
            <Check aria-hidden="true" size={18} />
          </span>
        ) : (
          <IconButton
            label={text('adminUsers:cancelTransaction', { id: transaction.id })}
            icon={<Undo2 size={18} />}
            disabled={cancel.isLocked}
            onPress={cancel.onPress}
          />
        ))}
    </li>
  );
}

function About({ transaction: { context } }: { transaction: Transaction }) {
  const text = useText();
  const { charging_operation_id: operation, recipient, sender, admin_id: admin } = context;
  if (operation !== null)
    return (
      <>
        ·{' '}
        <Link to={`/admin/operations/${operation}`} className="font-bold text-accent-text">
          № {operation}
        </Link>
      </>
    );
  const other = recipient ?? sender ?? (admin === null ? null : text('adminUsers:byStaff', { id: admin }));
  return other && `· ${other}`;
}
