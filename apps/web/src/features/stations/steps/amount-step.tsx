import type { SavedCard } from '@fpay/contract/cards';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Target } from '@fpay/contract/price';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { MainButton } from '../../../ui/form/main-button.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { formatNumber, gap } from '../../../ui/format/number-format.ts';
import { Dock } from '../../../ui/layout/dock.tsx';
import { isRegistered, useUser } from '../../account/queries.ts';
import { planTopUp } from '../../wallet/queries.ts';
import { IdleNote } from '../idle-note.tsx';
import { usePayment } from '../pay/pay.ts';
import type { AmountDraft } from '../step.ts';
import { type Amount, amountOf, lackOf, type PaymentMethod, presets } from './amount.ts';
import { AmountField } from './amount-field.tsx';
import { ChosenConnector, type ChosenProps } from './chosen-connector.tsx';
import { ConnectorTaken } from './connector-taken.tsx';
import { PaymentWaiting } from './payment-waiting.tsx';
import { SaveCardConsent } from './save-card-consent.tsx';
import { SiteFull } from './site-full.tsx';
import { StepTitle } from './steps.tsx';
import { Total } from './total.tsx';

interface AmountStepProps extends ChosenProps {
  method: PaymentMethod;
  /** The saved card that pays; null for the bank's page and for the balance. */
  card: SavedCard | null;
  /** The values as they were when the driver left for the bank. */
  draft: AmountDraft | null;
  onBack: () => void;
  /** Back to the connectors, when this one was taken. */
  onOther: () => void;
  onPay: (amount: AmountDraft) => void;
  /** On the way to the bank for a top-up, which returns to this step. */
  onTopUp: (amount: AmountDraft) => void;
}

export function AmountStep({
  station,
  connector: shown,
  method,
  card,
  draft,
  onBack,
  onOther,
  onPay,
  onTopUp,
}: AmountStepProps) {
  const text = useText();
  const [savesCard, setSavesCard] = useState(false);
  const [newPrice, setNewPrice] = useState<Kopecks | null>(null);
  const payment = usePayment({ connector: shown.id, onNewPrice: setNewPrice });
  const connector = newPrice === null ? shown : { ...shown, price: newPrice };
  const typing = useTypedAmount(draft, method, connector.price);
  const { target, typed, amount, totalled } = typing;
  const { isGuest, balance, lack } = useMeans(method, totalled);
  const canPay = amount !== null && lack === 0 && !isGuest && !payment.isPending;

  if (payment.isTaken) return <ConnectorTaken station={station} connector={connector} onOther={onOther} />;
  if (payment.siteFull)
    return <SiteFull station={station} connector={connector} free={payment.siteFull} onAgain={payment.forget} />;
  return (
    <form
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        if (!canPay) return;
        onPay({ target, typed });
        const { id, price, idle = null } = connector;
        const cards = method === 'card' ? { card: card?.id ?? null, save_card: card === null && savesCard } : {};
        payment.pay({ amount: typed.trim(), payment_type: method, target, connector: id, price, idle, ...cards });
      }}
    >
      <div className="flex flex-1 animate-step flex-col gap-3 px-4 pb-4">
        <ChosenConnector station={station} connector={connector} />
        <div className="flex items-center justify-between gap-2 pt-2">
          <StepTitle>{text('payment:howMuch')}</StepTitle>
          <IconButton
            label={text('payment:changePayment')}
            icon={<ArrowLeft aria-hidden="true" size={24} />}
            look="filled"
            disabled={payment.isPending}
            onPress={onBack}
          />
        </div>
        <AmountField
          target={target}
          onTarget={typing.count}
          typed={typed}
          onTyped={typing.type}
          method={method}
          isInvalid={amount === null}
        />
        <IdleNote idle={connector.idle} />
        {method === 'card' && card === null && <SaveCardConsent checked={savesCard} onChange={setSavesCard} />}
      </div>
      <Dock
        above={
          isGuest ? (
            <GuestNote />
          ) : (
            // An invalid amount leaves the space of the last valid one, so that the dock does not jump.
            totalled && (
              <div className={amount ? 'contents' : 'invisible flex flex-col gap-2'}>
                <Total
                  amount={totalled}
                  target={target}
                  price={connector.price}
                  payer={{ method, balance, lack, card }}
                />
              </div>
            )
          )
        }
      >
        <p role="status" className="text-note text-error empty:hidden">
          {payment.problem && text(payment.problem)}
        </p>
        {payment.wait ? (
          <PaymentWaiting wait={payment.wait} onWithdraw={payment.withdraw} />
        ) : amount && lack > 0 ? (
          <TopUpButton
            amount={amount}
            target={target}
            means={{ balance, lack }}
            onPress={() => onTopUp({ target, typed })}
          />
        ) : (
          <PayButton amount={amount} isBusy={payment.isPending} isDisabled={!amount || isGuest} />
        )}
      </Dock>
    </form>
  );
}

/** What the driver typed, as a sum; `totalled` is the last valid one. */
function useTypedAmount(draft: AmountDraft | null, method: PaymentMethod, price: Kopecks) {
  const [target, setTarget] = useState<Target>(draft?.target ?? 'kwh');
  const [typed, type] = useState(draft?.typed ?? String(presets.kwh[0]));
  const amount = amountOf({ typed, target, method, price });
  const [valid, setValid] = useState(amount);
  if (amount && (valid?.hundredths !== amount.hundredths || valid.deposit !== amount.deposit)) setValid(amount);
  function count(unit: Target) {
    setTarget(unit);
    type(String(presets[unit][0]));
  }
  return { target, typed, type, count, amount, totalled: amount ?? valid };
}

/** What the balance has for the amount that is shown. A guest has none, and pays by card only. */
function useMeans(method: PaymentMethod, totalled: Amount | null) {
  const user = useUser();
  const isGuest = method === 'balance' && !isRegistered(user);
  const balance = user?.balance ?? kopecks(0);
  const lack = totalled && !isGuest ? lackOf(totalled.deposit, balance, method) : kopecks(0);
  return { isGuest, balance, lack };
}

interface TopUpButtonProps {
  amount: Amount;
  target: Target;
  means: { balance: Kopecks; lack: Kopecks };
  onPress: () => void;
}

function TopUpButton({ amount: { hundredths, deposit }, target, means, onPress }: TopUpButtonProps) {
  const text = useText();
  return (
    <MainButton
      to="/balance"
      icon={<Plus aria-hidden="true" size={20} />}
      onPress={() => {
        onPress();
        const unit = target === 'kwh' ? text('generic:kwh') : text('payment:uah');
        const charge = `${formatNumber(hundredths / 100, { least: 0, most: 2 })}${gap}${unit}`;
        planTopUp({ charge, deposit, ...means });
      }}
    >
      {text('payment:topUp')}
    </MainButton>
  );
}

function PayButton({ amount, isBusy, isDisabled }: { amount: Amount | null; isBusy: boolean; isDisabled: boolean }) {
  const text = useText();
  return (
    <MainButton
      type="submit"
      busy={isBusy}
      disabled={isDisabled}
      disabledLabel={amount ? undefined : text('payment:enterAmount')}
    >
      {amount ? text('payment:pay', { sum: formatMoney(amount.deposit) }) : text('payment:payNothing')}
    </MainButton>
  );
}

/** A guest has no balance; this shows the link to sign up. */
function GuestNote() {
  const text = useText();
  return (
    <div className="flex flex-col gap-2 rounded-control bg-occupied-tint p-3.5">
      <p className="text-note">
        <strong className="block text-label font-bold text-occupied">{text('generic:registeredOnly')}</strong>
        {text('payment:guestText')}
      </p>
      <Button kind="secondary" size="m" to="/reg">
        {text('payment:signUp')}
      </Button>
    </div>
  );
}
