import type { BalanceTransaction } from '@fpay/contract/wallet';
import { useInfiniteQuery } from '@tanstack/react-query';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { useEffect } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Days } from '../../ui/format/days.tsx';
import { Money } from '../../ui/format/money.tsx';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { SkeletonList } from '../../ui/layout/skeleton.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { useSettings } from '../settings/queries.ts';
import { walletQueries } from './queries.ts';
import { viewOf } from './transaction-view.ts';

/** Transactions of the balance, newest first. */
export function Transactions() {
  const text = useText();
  const { data, isError, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    walletQueries.transactions(),
  );
  useEffect(() => {
    if (isError) void notify(text('balance:loadFailed'));
  }, [isError, text]);

  const transactions = data;
  if (!transactions && !isError) return <SkeletonList rows={5} />;
  if (!transactions)
    return (
      <>
        <p className="px-1 text-body text-ink-2">{text('balance:loadFailed')}</p>
        <Button busy={isFetching} onPress={() => refetch()}>
          {text('generic:tryAgain')}
        </Button>
      </>
    );
  if (transactions.length === 0) return <NoTransactions />;
  return (
    <>
      <Days items={transactions}>
        {(ofDay, day) => (
          <List label={day}>
            {ofDay.map((transaction) => (
              <TransactionRow key={transaction.id} transaction={transaction} />
            ))}
          </List>
        )}
      </Days>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onPress={() => fetchNextPage()}>
          {text('balance:more')}
        </Button>
      )}
    </>
  );
}

function TransactionRow({ transaction }: { transaction: BalanceTransaction }) {
  const text = useText();
  const { brand } = useSettings();
  const { Icon, title, about } = viewOf(transaction);
  const subject = about(transaction.context);
  const { charge, context } = transaction;
  const page = charge?.is_own && context.charging_operation_id ? `/status/${context.charging_operation_id}` : null;
  return (
    <ListItem
      {...(page && { to: page })}
      arrow={false}
      icon={<Icon size={20} />}
      wellClassName={wellOf(transaction)}
      title={text(title, { brand, station: charge?.station_number ?? '' })}
      subtitle={[transaction.time, subject && text(subject.text, { value: subject.value })].filter(Boolean).join(' · ')}
      trailing={
        <Money
          amount={transaction.amount}
          signed
          className={transaction.amount > 0 ? 'text-body font-bold text-accent-text' : 'text-body font-bold'}
        />
      }
    />
  );
}

function wellOf({ type, amount }: BalanceTransaction): string {
  if (type === 'promo') return 'bg-promo-tint text-promo';
  return amount > 0 ? 'bg-free-tint text-free' : 'bg-surface-2';
}

function NoTransactions() {
  const text = useText();
  return (
    <div className="flex flex-col items-center px-4 py-8 text-center">
      <span aria-hidden="true" className="grid size-24 place-items-center rounded-full bg-surface-2">
        <ReceiptText size={40} strokeWidth={1.5} />
      </span>
      <h2 className="mt-5 text-h2 text-balance">{text('balance:empty')}</h2>
      <p className="mt-1.5 max-w-[24rem] text-body text-ink-2 text-pretty">{text('balance:emptyText')}</p>
    </div>
  );
}
