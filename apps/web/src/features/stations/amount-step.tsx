import type { SavedCard } from '@fpay/contract/cards';
import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Target } from '@fpay/contract/price';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatMoney } from '../../ui/format/money.tsx';
import { formatNumber, gap } from '../../ui/format/number-format.ts';
import { Dock } from '../../ui/layout/dock.tsx';
import { isRegistered, useUser } from '../account/queries.ts';
import { planTopUp } from '../wallet/queries.ts';
import { amountOf, lackOf, type PaymentMethod, presets } from './amount.ts';
import { AmountField } from './amount-field.tsx';
import { ChosenConnector, type ChosenProps } from './chosen-connector.tsx';
import { ConnectorTaken } from './connector-taken.tsx';
import { IdleNote } from './idle-note.tsx';
import { usePayment } from './pay.ts';
import { PaymentWaiting } from './payment-waiting.tsx';
import { SaveCardConsent } from './save-card-consent.tsx';
import { SiteFull } from './site-full.tsx';
import type { AmountDraft } from './step.ts';
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
  const user = useUser();
  const [target, setTarget] = useState<Target>(draft?.target ?? 'kwh');
  const [typed, setTyped] = useState(draft?.typed ?? String(presets.kwh[0]));
  const [savesCard, setSavesCard] = useState(false);
  const [newPrice, setNewPrice] = useState<Kopecks | null>(null);
  const { pay, isPending, problem, wait, withdraw, isTaken, siteFull, forget } = usePayment({
    connector: shown.id,
    onNewPrice: setNewPrice,
  });
  const connector = newPrice === null ? shown : { ...shown, price: newPrice };

  const amount = amountOf({ typed, target, method, price: connector.price });
  const [valid, setValid] = useState(amount);
  if (amount && (valid?.hundredths !== amount.hundredths || valid.deposit !== amount.deposit)) setValid(amount);
  const totalled = amount ?? valid;
  const isGuestByBalance = method === 'balance' && !isRegistered(user);
  const balance = user?.balance ?? kopecks(0);
  // Of the amount that is shown, which is the last valid one.
  const lack = totalled && !isGuestByBalance ? lackOf(totalled.deposit, balance, method) : kopecks(0);

  function count(unit: Target) {
    setTarget(unit);
    setTyped(String(presets[unit][0]));
  }

  if (isTaken) return <ConnectorTaken station={station} connector={connector} onOther={onOther} />;
  if (siteFull) return <SiteFull station={station} connector={connector} free={siteFull} onAgain={forget} />;
  return (
    <form
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        if (!amount || lack > 0 || isGuestByBalance || isPending) return;
        onPay({ target, typed });
        const { id, price } = connector;
        const cards = method === 'card' ? { card: card?.id ?? null, save_card: card === null && savesCard } : {};
        pay({
          amount: typed.trim(),
          payment_type: method,
          target,
          connector: id,
          price,
          idle: connector.idle ?? null,
          ...cards,
        });
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
            disabled={isPending}
            onPress={onBack}
          />
        </div>
        <AmountField
          target={target}
          onTarget={count}
          typed={typed}
          onTyped={setTyped}
          method={method}
          isInvalid={amount === null}
        />
        <IdleNote idle={connector.idle} />
        {method === 'card' && card === null && <SaveCardConsent checked={savesCard} onChange={setSavesCard} />}
      </div>
      <Dock
        above={
          isGuestByBalance ? (
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
          {problem && text(problem)}
        </p>
        {wait ? (
          <PaymentWaiting wait={wait} onWithdraw={withdraw} />
        ) : amount && lack > 0 ? (
          <MainButton
            to="/balance"
            icon={<Plus aria-hidden="true" size={20} />}
            onPress={() => {
              onTopUp({ target, typed });
              const unit = target === 'kwh' ? text('generic:kwh') : text('payment:uah');
              const charge = `${formatNumber(amount.hundredths / 100, { least: 0, most: 2 })}${gap}${unit}`;
              planTopUp({ charge, deposit: amount.deposit, balance, lack });
            }}
          >
            {text('payment:topUp')}
          </MainButton>
        ) : (
          <MainButton
            type="submit"
            busy={isPending}
            disabled={!amount || isGuestByBalance}
            disabledLabel={amount ? undefined : text('payment:enterAmount')}
          >
            {amount ? text('payment:pay', { sum: formatMoney(amount.deposit) }) : text('payment:payNothing')}
          </MainButton>
        )}
      </Dock>
    </form>
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
