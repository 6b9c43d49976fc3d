import { topUpLimits } from '@fpay/contract/wallet';
import { useQuery } from '@tanstack/react-query';
import PlugZap from 'lucide-react/icons/plug-zap';
import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { Consent } from '../../ui/form/consent.tsx';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatMoney, Money } from '../../ui/format/money.tsx';
import { formatNumber } from '../../ui/format/number-format.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { useSettings } from '../settings/queries.ts';
import { topUpAmount, topUpPresets } from './amounts.ts';
import { useBuy } from './buy.ts';
import { CardChoice } from './card-choice.tsx';
import { missingSum, type PlannedTopUp } from './planned-top-up.ts';
import { walletQueries } from './queries.ts';

interface TopUpSheetProps {
  open: boolean;
  onClose: () => void;
  /** The station's page where the driver came from; null for none. */
  cameFrom: string | null;
  /** The charge that the balance was too small for. */
  planned?: PlannedTopUp | null;
  /** The purpose is to save a card, which the bank does with a payment. */
  addsCard?: boolean;
  /** A saved card was charged without the bank's page. */
  onPaid: () => void;
}

/** The amount and the card, then the bank's page where it is needed. */
export function TopUpSheet({ open, onClose, cameFrom, planned = null, addsCard = false, onPaid }: TopUpSheetProps) {
  const text = useText();
  const { cards, card, choose, canSave } = useCardToPay(addsCard);
  const [savesCard, setSavesCard] = useState(false);
  const missing = planned && missingSum(planned.lack);
  const presets = presetsWith(addsCard ? topUpLimits.least / 100 : missing);
  const [typed, setTyped] = useState(String(presets[0]));
  const { buy, isPending, error } = useBuy(cameFrom, onPaid);
  const amount = topUpAmount(typed);
  return (
    <Sheet open={open} onClose={onClose} title={addsCard ? text('balance:addCardTitle') : text('balance:topUpTitle')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (amount !== null && !isPending) buy({ amount, card, savesCard: card === null && (addsCard || savesCard) });
        }}
      >
        {planned && <Missing planned={planned} />}
        {addsCard && <p className="text-note text-ink-2">{text('balance:addCardText')}</p>}
        <Presets presets={presets} typed={typed} onType={setTyped} isLocked={isPending} />
        <AmountInput typed={typed} onType={setTyped} isInvalid={amount === null} isLocked={isPending} />
        {!addsCard && cards.length > 0 && (
          <CardChoice cards={cards} value={card} onChange={choose} isLocked={isPending} />
        )}
        {canSave && (
          <Consent
            label={text('balance:saveCard')}
            note={text('balance:cardsNote')}
            checked={savesCard}
            onChange={setSavesCard}
          />
        )}
        <UnplugNote isPlanned={planned !== null} />
        <p role="status" className="text-note text-error empty:hidden">
          {error && text(errorText(error))}
        </p>
        <MainButton
          type="submit"
          busy={isPending}
          disabled={amount === null}
          disabledLabel={text('balance:enterAmount')}
        >
          {amount !== null && text('balance:pay', { sum: formatMoney(amount) })}
        </MainButton>
        {planned && (
          <p className="-mt-1 text-center text-note text-ink-2">
            {text('balance:comeBack', { charge: planned.charge })}
          </p>
        )}
      </form>
    </Sheet>
  );
}

/** The saved card that pays: the chosen one, or the first that has not expired. A card that is added pays by itself. */
function useCardToPay(addsCard: boolean) {
  const { saved_cards: mode } = useSettings();
  const { data: cards = [] } = useQuery({ ...walletQueries.cards(), enabled: mode !== 'off' });
  const [chosen, choose] = useState<number | null | 'first'>('first');
  const usable = cards.filter((card) => !card.is_expired);
  const first = chosen === 'first' ? usable[0] : undefined;
  const card = addsCard ? null : ((usable.find(({ id }) => id === chosen) ?? first)?.id ?? null);
  return { cards, card, choose, canSave: !addsCard && mode !== 'off' && card === null };
}

interface TypedProps {
  typed: string;
  onType: (typed: string) => void;
  isLocked: boolean;
}

function Presets({ presets, typed, onType, isLocked }: TypedProps & { presets: readonly number[] }) {
  const text = useText();
  return (
    <fieldset className="flex gap-2" disabled={isLocked}>
      <legend className="sr-only">{text('balance:presets')}</legend>
      {presets.map((preset) => (
        <button
          key={preset}
          type="button"
          aria-pressed={typed === String(preset)}
          onClick={() => onType(String(preset))}
          className="tabular min-h-12 min-w-0 flex-1 rounded-control bg-surface text-body font-bold shadow-card aria-pressed:bg-ink aria-pressed:text-surface aria-pressed:shadow-none"
        >
          {preset}
        </button>
      ))}
    </fieldset>
  );
}

function AmountInput({ typed, onType, isInvalid, isLocked }: TypedProps & { isInvalid: boolean }) {
  const text = useText();
  const limits = text('balance:limits', {
    least: formatNumber(topUpLimits.least / 100, { least: 0, most: 0 }),
    most: formatNumber(topUpLimits.most / 100, { least: 0, most: 0 }),
  });
  return (
    <Field
      label={text('balance:amount')}
      value={typed}
      onChange={({ target }) => onType(target.value)}
      inputMode="decimal"
      enterKeyHint="go"
      autoComplete="off"
      maxLength={8}
      readOnly={isLocked}
      trailing={<span className="text-body text-ink-2">₴</span>}
      hint={limits}
      error={isInvalid ? `${text('generic:invalidAmount')}. ${limits}` : undefined}
    />
  );
}

/** A car that stays plugged in without a charge takes the connector from others. */
function UnplugNote({ isPlanned }: { isPlanned: boolean }) {
  const text = useText();
  return (
    <p className="flex items-start gap-3 rounded-control bg-occupied-tint p-3.5 text-note">
      <PlugZap aria-hidden="true" size={20} className="mt-px shrink-0 text-occupied" />
      <span>
        {text('balance:unplugFirst')}
        {isPlanned && ` ${text('balance:plugAgain')}`}
      </span>
    </p>
  );
}

/** A given sum takes the place of the smallest preset. */
function presetsWith(first: number | null): readonly number[] {
  return first === null ? topUpPresets : [first, ...topUpPresets.slice(1).filter((sum) => sum !== first)];
}

/** Why this sum: the charge, the balance, and the difference. */
function Missing({ planned: { charge, deposit, balance, lack } }: { planned: PlannedTopUp }) {
  const text = useText();
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-2 rounded-control bg-surface-2 p-3.5 text-label">
      <dt className="text-ink-2">{text('balance:plannedCharge', { charge })}</dt>
      <dd className="text-right font-bold">
        <Money amount={deposit} />
      </dd>
      <dt className="text-ink-2">{text('balance:onBalance')}</dt>
      <dd className="text-right font-bold">
        <Money amount={balance} />
      </dd>
      <dt className="border-t border-line-strong pt-2 text-ink-2">{text('balance:lacking')}</dt>
      <dd className="border-t border-line-strong pt-2 text-right font-bold">
        <Money amount={lack} />
      </dd>
    </dl>
  );
}
