import { removeSavedCard, type SavedCard } from '@fpay/contract/cards';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Trash2 from 'lucide-react/icons/trash-2';
import { call } from '../../api/call.ts';
import { useAction } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { DateTime } from '../../ui/format/date-time.tsx';
import { confirm } from '../../ui/overlay/popups.ts';
import { CardBrand, cardName } from '../../ui/picture/card-brand.tsx';
import { useSettings } from '../settings/queries.ts';
import { walletQueries } from './queries.ts';

/** The cards that the bank has saved for this driver. Absent where cards are not saved, and while they are not known. */
export function SavedCardList({ onAdd }: { onAdd: () => void }) {
  const text = useText();
  const { saved_cards: mode } = useSettings();
  const { data: cards } = useQuery({ ...walletQueries.cards(), enabled: mode !== 'off' });
  if (!cards) return null;
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 px-1">
        <h2 className="text-card">{text('balance:cards')}</h2>
        <button
          type="button"
          onClick={onAdd}
          className="-my-1 flex min-h-11 items-center rounded-control text-label font-bold text-accent-text active:bg-surface-2"
        >
          {text('balance:addCard')}
        </button>
      </div>
      {cards.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card">
          {cards.map((card, index) => (
            <SavedCardRow key={card.id} card={card} isFirst={index === 0} />
          ))}
        </ul>
      )}
      <p className="px-1 text-small text-ink-2">
        {cards.length > 0 ? text('balance:cardsNote') : text('balance:noCards')}
      </p>
    </section>
  );
}

function SavedCardRow({ card, isFirst }: { card: SavedCard; isFirst: boolean }) {
  const text = useText();
  const queryClient = useQueryClient();
  const name = cardName(card, text('balance:card'));
  const { mutate, isPending } = useAction(() => call(removeSavedCard, { params: { id: String(card.id) } }), {
    onSettled: () => queryClient.invalidateQueries(walletQueries.cards()),
  });

  async function remove() {
    const question = { title: text('balance:removeCard', { card: name }), effect: text('balance:removeCardText') };
    const confirmLabel = text('balance:removeCardYes');
    if (await confirm({ ...question, confirmLabel, kind: 'danger' })) mutate();
  }

  return (
    <li className="flex min-h-17 items-center gap-3 py-2.5 pr-1.5 pl-4">
      <CardBrand system={card.system} />
      <span className="min-w-0 flex-1">
        <span className="block text-body font-[650]">{name}</span>
        {card.is_expired ? (
          <span className="block text-small font-bold text-occupied">{text('balance:cardExpired')}</span>
        ) : (
          <span className="block text-small text-ink-2">
            {isFirst && `${text('balance:cardDefault')} · `}
            {text('balance:cardAdded')} <DateTime instant={card.added_at} form="date" />
          </span>
        )}
      </span>
      <IconButton
        label={text('balance:removeCardLabel', { card: name })}
        icon={<Trash2 aria-hidden="true" size={20} className="text-error" />}
        disabled={isPending}
        onPress={() => void remove()}
      />
    </li>
  );
}
