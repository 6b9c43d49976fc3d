import { useQueryClient } from '@tanstack/react-query';
import Gift from 'lucide-react/icons/gift';
import Plus from 'lucide-react/icons/plus';
import { useEffect, useRef, useState } from 'react';
import { backFromBank } from '../../api/back-from-bank.ts';
import { useText } from '../../i18n/use-text.ts';
import { useNavigate, useSearchParams } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Money } from '../../ui/format/money.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { useUser } from '../account/queries.ts';
import { stationPage } from './buy.ts';
import { GiftSheet } from './gift-sheet.tsx';
import { takePlannedTopUp } from './planned-top-up.ts';
import { walletQueries } from './queries.ts';
import { SavedCardList } from './saved-card-list.tsx';
import { TopUpNotice } from './top-up-notice.tsx';
import { TopUpSheet } from './top-up-sheet.tsx';
import { Transactions } from './transactions.tsx';

/** The station's page that led here; null for another page. */
let lastPage: string | null = null;

/** Runs while the previous page is still shown, so the address is where the driver comes from. */
export function loader(): void {
  lastPage = stationPage(location.pathname);
}

/** The balance, its transactions, and the buttons for top-up and gift. */
export function Page() {
  const text = useText();
  const user = useUser();
  // The first value only, because later values are this page itself.
  const [cameFrom] = useState(lastPage);
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const [isBack, setBack] = useState(search.has(backFromBank));
  // A driver whose balance was too small for a charge finds the form open, with the missing sum.
  const [planned] = useState(() => (cameFrom === null ? null : takePlannedTopUp()));
  const [sheet, setSheet] = useState<'topUp' | 'card' | 'gift' | null>(planned ? 'topUp' : null);
  useLiveTransactions(user?.balance);
  if (!user) return null;

  return (
    <div className="flex flex-1 flex-col gap-5 px-4 pt-1 pb-6">
      <PageTitle back="/account">{text('balance:title')}</PageTitle>
      <p data-testid="balance" className="-mt-4 px-1">
        <Money
          amount={user.balance}
          still
          className="block text-[clamp(2.25rem,13vw,3.25rem)] leading-[1.15] font-extrabold tracking-[-0.045em]"
        />
      </p>
      {isBack && (
        <TopUpNotice
          onDecided={() => setSearch({}, { replace: true })}
          onClose={() => setBack(false)}
          onRetry={() => {
            setBack(false);
            setSheet('topUp');
          }}
        />
      )}
      <BalanceButtons onTopUp={() => setSheet('topUp')} onGift={() => setSheet('gift')} />
      <SavedCardList onAdd={() => setSheet('card')} />
      <Transactions />
      <TopUpSheet
        open={sheet === 'topUp'}
        onClose={() => setSheet(null)}
        cameFrom={cameFrom}
        planned={planned}
        onPaid={() => {
          setSheet(null);
          if (cameFrom === null) setBack(true);
          else void navigate(`${cameFrom}?${backFromBank}`);
        }}
      />
      <TopUpSheet
        open={sheet === 'card'}
        onClose={() => setSheet(null)}
        cameFrom={null}
        addsCard
        onPaid={() => undefined}
      />
      <GiftSheet open={sheet === 'gift'} onClose={() => setSheet(null)} user={user} />
    </div>
  );
}

interface BalanceButtonsProps {
  onTopUp: () => void;
  onGift: () => void;
}

function BalanceButtons({ onTopUp, onGift }: BalanceButtonsProps) {
  const text = useText();
  return (
    <div className="flex flex-wrap gap-2">
      <MainButton className="flex-auto px-3!" icon={<Plus aria-hidden="true" size={20} />} onPress={onTopUp}>
        {text('balance:topUp')}
      </MainButton>
      <Button
        kind="secondary"
        className="flex-auto px-3!"
        icon={<Gift aria-hidden="true" size={20} />}
        onPress={onGift}
      >
        {text('balance:gift')}
      </Button>
    </div>
  );
}

/** A changed balance has a new transaction. */
function useLiveTransactions(balance: number | undefined): void {
  const queryClient = useQueryClient();
  const known = useRef(balance);
  useEffect(() => {
    if (known.current !== undefined && known.current !== balance)
      void queryClient.invalidateQueries({ queryKey: walletQueries.transactions().queryKey });
    known.current = balance;
  }, [balance, queryClient]);
}
