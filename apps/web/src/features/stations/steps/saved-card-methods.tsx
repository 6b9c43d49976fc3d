import type { SavedCard } from '@fpay/contract/cards';
import { useQuery } from '@tanstack/react-query';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Info from 'lucide-react/icons/info';
import { useText } from '../../../i18n/use-text.ts';
import { CardBrand, cardName } from '../../../ui/picture/card-brand.tsx';
import { isRegistered, useUser } from '../../account/queries.ts';
import { useSettings } from '../../settings/queries.ts';
import { walletQueries } from '../../wallet/queries.ts';

/** The driver's saved cards; empty for guests, and while they are loaded. */
export function useSavedCards(): readonly SavedCard[] {
  const user = useUser();
  const { saved_cards: mode } = useSettings();
  return useQuery({ ...walletQueries.cards(), enabled: isRegistered(user) && mode !== 'off' }).data ?? [];
}

interface SavedCardMethodsProps {
  cards: readonly SavedCard[];
  onChoose: (card: SavedCard) => void;
}

/** Ways to pay without typing a card: one tap each. Expired cards are shown and cannot be chosen. */
export function SavedCardMethods({ cards, onChoose }: SavedCardMethodsProps) {
  const text = useText();
  const { saved_cards: mode } = useSettings();
  if (cards.length === 0) return null;
  return (
    <>
      <ul aria-label={text('payment:savedCards')} className="flex flex-col gap-3">
        {cards.map((card) => (
          <li key={card.id}>
            <button
              type="button"
              disabled={card.is_expired}
              onClick={() => onChoose(card)}
              className="flex min-h-17 w-full items-center gap-3.5 rounded-card bg-surface p-4 text-left shadow-card active:bg-surface-2 disabled:bg-surface-2 disabled:shadow-none"
            >
              <CardBrand system={card.system} />
              <span className="min-w-0 flex-1">
                <span className="block text-card">{cardName(card, text('payment:card'))}</span>
                <span className={`block text-note ${card.is_expired ? 'text-occupied' : 'text-ink-2'}`}>
                  {card.is_expired ? text('payment:cardExpired') : text('payment:oneTap')}
                </span>
              </span>
              {!card.is_expired && <ChevronRight aria-hidden="true" size={20} className="shrink-0 text-ink-3" />}
            </button>
          </li>
        ))}
      </ul>
      {mode === 'charge' && (
        <p className="flex gap-3 rounded-control bg-surface-2 p-3.5 text-note text-ink-2">
          <Info aria-hidden="true" size={20} className="shrink-0" />
          {text('payment:savedCardCharged')}
        </p>
      )}
    </>
  );
}
