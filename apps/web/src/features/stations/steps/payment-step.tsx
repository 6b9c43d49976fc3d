import type { SavedCard } from '@fpay/contract/cards';
import { energyLimitOf } from '@fpay/contract/price';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import CircleCheck from 'lucide-react/icons/circle-check';
import CreditCard from 'lucide-react/icons/credit-card';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Wallet from 'lucide-react/icons/wallet';
import type { ReactNode } from 'react';
import { text as plainText } from '../../../i18n/i18n.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { formatNumber, gap } from '../../../ui/format/number-format.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Dock } from '../../../ui/layout/dock.tsx';
import { isRegistered, useUser } from '../../account/queries.ts';
import type { PaymentMethod } from './amount.ts';
import { ChosenConnector, type ChosenProps } from './chosen-connector.tsx';
import { SavedCardMethods, useSavedCards } from './saved-card-methods.tsx';
import { StepTitle } from './steps.tsx';

interface PaymentStepProps extends ChosenProps {
  onChoose: (method: PaymentMethod, card: SavedCard | null) => void;
  onBack: () => void;
}

const cardKinds = ['Visa', 'Mastercard', 'Apple Pay', 'Google Pay'];

export function PaymentStep({ station, connector, onChoose, onBack }: PaymentStepProps) {
  const text = useText();
  const user = useUser();
  const cards = useSavedCards();
  return (
    <>
      <div className="flex flex-1 animate-step flex-col gap-3 px-4 pb-6">
        <ChosenConnector station={station} connector={connector} />
        <div className="pt-4 pb-1">
          <StepTitle>{text('payment:howToPay')}</StepTitle>
        </div>
        <SavedCardMethods cards={cards} onChoose={(card) => onChoose('card', card)} />
        <Method
          icon={<CreditCard size={24} />}
          name={cards.length > 0 ? text('payment:otherCard') : text('payment:card')}
          about={text('payment:cardText')}
          trailing={<ChevronRight aria-hidden="true" size={20} className="shrink-0 text-ink-3" />}
          onPress={() => onChoose('card', null)}
        >
          {cardKinds.map((kind) => (
            <span key={kind} className="rounded-badge bg-surface-2 px-2.5 py-1 text-small font-bold text-ink-2">
              {kind}
            </span>
          ))}
        </Method>
        <Method
          icon={<Wallet size={24} />}
          name={text('payment:balance')}
          about={isRegistered(user) ? text('payment:balanceText') : text('generic:registeredOnly')}
          trailing={isRegistered(user) && <Money amount={user.balance} className="text-card" />}
          onPress={() => onChoose('balance', null)}
        >
          {isRegistered(user) && user.balance > 0 && (
            <Badge tone="free" icon={<CircleCheck aria-hidden="true" size={16} strokeWidth={2.4} />}>
              {text('payment:enoughFor', { energy: wholeKwh(energyLimitOf(user.balance, connector.price) ?? 0) })}
            </Badge>
          )}
        </Method>
        <p className="flex gap-3 px-1 pt-2 text-note text-ink-2">
          <ShieldCheck aria-hidden="true" size={20} className="shrink-0 text-free" />
          {text('payment:stopsItself')}
        </p>
      </div>
      <Dock>
        <Button icon={<ArrowLeft aria-hidden="true" size={20} />} onPress={onBack}>
          {text('payment:backToConnectors')}
        </Button>
      </Dock>
    </>
  );
}

/** Rounded down, because this is a promise. */
function wholeKwh(energy: number): string {
  return `${formatNumber(Math.floor(energy / 1000), { least: 0, most: 0 })}${gap}${plainText('generic:kwh')}`;
}

interface MethodProps {
  icon: ReactNode;
  name: string;
  about: string;
  trailing: ReactNode;
  onPress: () => void;
  children: ReactNode;
}

function Method({ icon, name, about, trailing, onPress, children }: MethodProps) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="flex items-start gap-3.5 rounded-card bg-surface p-4 text-left shadow-card active:bg-surface-2"
    >
      <span
        aria-hidden="true"
        className="grid size-13 shrink-0 place-items-center rounded-control bg-accent-soft text-accent-text"
      >
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center justify-between gap-x-2">
          <span className="text-card">{name}</span>
          {trailing}
        </span>
        <span className="mt-0.5 block text-note text-ink-2">{about}</span>
        <span className="mt-2.5 flex flex-wrap gap-1.5 *:whitespace-normal empty:hidden">{children}</span>
      </span>
    </button>
  );
}
