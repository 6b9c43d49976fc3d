import type { SavedCard } from '@fpay/contract/cards';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import { energyLimitOf, type Target } from '@fpay/contract/price';
import Wallet from 'lucide-react/icons/wallet';
import { useText } from '../../../i18n/use-text.ts';
import { formatMoney, Money } from '../../../ui/format/money.tsx';
import { formatNumber, gap } from '../../../ui/format/number-format.ts';
import { CardBrand, cardName } from '../../../ui/picture/card-brand.tsx';
import { useSettings } from '../../settings/queries.ts';
import type { PaymentMethod } from './amount.ts';

interface Payer {
  method: PaymentMethod;
  balance: Kopecks;
  /** What the balance is short of. */
  lack: Kopecks;
  /** The saved card that pays. */
  card: SavedCard | null;
}

interface TotalProps {
  amount: { hundredths: number; deposit: Kopecks };
  target: Target;
  price: Kopecks;
  payer: Payer;
}

/** The deposit, its calculation, and its effect on the balance. */
export function Total({ amount: { hundredths, deposit }, target, price, payer }: TotalProps) {
  const text = useText();
  const { saved_cards: mode } = useSettings();
  const kwh = (value: number, most: number) => `${formatNumber(value, { least: 0, most })}${gap}${text('generic:kwh')}`;
  return (
    <>
      <p className="tabular text-note text-ink-2">
        {target === 'kwh'
          ? text('payment:times', { energy: kwh(hundredths / 100, 2), price: formatMoney(price) })
          : text('payment:about', { energy: kwh((energyLimitOf(deposit, price) ?? 0) / 1000, 1) })}
      </p>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-body font-bold">{text('payment:total')}</span>
        <Money amount={deposit} className="text-[1.625rem] leading-8 font-extrabold tracking-tight" />
      </p>
      {payer.card && (
        <p className="flex items-center gap-2 text-note font-bold">
          <CardBrand system={payer.card.system} />
          {cardName(payer.card, text('payment:card'))}
        </p>
      )}
      {payer.method === 'balance' && <BalanceAfter deposit={deposit} {...payer} />}
      <p className="px-0.5 text-small text-ink-2">
        {payer.lack > 0
          ? text('payment:topUpText')
          : payer.method === 'balance'
            ? text('payment:balanceReturns')
            : payer.card && mode === 'charge'
              ? text('payment:savedCardReturns')
              : text('payment:cardReturns')}
      </p>
    </>
  );
}

function BalanceAfter({ deposit, balance, lack }: Payer & { deposit: Kopecks }) {
  const text = useText();
  const isShort = lack > 0;
  return (
    <div className={`rounded-control px-3.5 py-2.5 ${isShort ? 'bg-occupied-tint' : 'bg-surface-2'}`}>
      {isShort && (
        <p role="alert" className="text-label font-bold text-occupied">
          {text('payment:insufficient')}
        </p>
      )}
      <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5 text-note">
        <dt className="flex items-center gap-2 text-ink-2">
          <Wallet aria-hidden="true" size={18} />
          {text('payment:balance')}
        </dt>
        <dd className="text-right font-bold">
          <Money amount={balance} />
        </dd>
        <dt className="pl-[26px] text-ink-2">{isShort ? text('payment:lacking') : text('payment:left')}</dt>
        <dd className={`text-right font-bold ${isShort ? 'text-occupied' : 'text-accent-text'}`}>
          <Money amount={isShort ? lack : kopecks(balance - deposit)} />
        </dd>
      </dl>
    </div>
  );
}
