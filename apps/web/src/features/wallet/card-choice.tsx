import type { SavedCard } from '@fpay/contract/cards';
import { useId } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { CardBrand, cardName } from '../../ui/picture/card-brand.tsx';

interface CardChoiceProps {
  cards: readonly SavedCard[];
  /** The id of a saved card; null for another card at the bank's page. */
  value: number | null;
  onChange: (card: number | null) => void;
  isLocked: boolean;
}

/** Which card pays: a saved one, or another one at the bank's page. Expired cards are shown and cannot be chosen. */
export function CardChoice({ cards, value, onChange, isLocked }: CardChoiceProps) {
  const text = useText();
  const name = useId();
  return (
    <fieldset disabled={isLocked} className="min-w-0">
      <legend className="mb-2 text-note text-ink-2">{text('balance:payWith')}</legend>
      <div className="divide-y divide-line overflow-hidden rounded-control border border-line-strong/60">
        {cards.map((card) => (
          <Option
            key={card.id}
            name={name}
            card={card}
            title={cardName(card, text('balance:card'))}
            note={card.is_expired ? text('balance:cardExpired') : null}
            isDisabled={card.is_expired}
            isChosen={value === card.id}
            onChoose={() => onChange(card.id)}
          />
        ))}
        <Option
          name={name}
          card={null}
          title={text('balance:otherCard')}
          note={text('balance:otherCardText')}
          isChosen={value === null}
          onChoose={() => onChange(null)}
        />
      </div>
    </fieldset>
  );
}

interface OptionProps {
  name: string;
  card: SavedCard | null;
  title: string;
  note: string | null;
  isChosen: boolean;
  isDisabled?: boolean;
  onChoose: () => void;
}

function Option({ name, card, title, note, isChosen, isDisabled = false, onChoose }: OptionProps) {
  return (
    <label className="flex min-h-14 cursor-pointer items-center gap-3 bg-surface px-3.5 py-2 has-checked:bg-free-tint has-disabled:cursor-default has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-focus">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        className="size-5 shrink-0 accent-free-fill"
      />
      <CardBrand system={card?.system ?? null} />
      <span className="min-w-0 flex-1">
        <span className="block text-label font-bold">{title}</span>
        {note && <span className={`block text-small ${isDisabled ? 'text-occupied' : 'text-ink-2'}`}>{note}</span>}
      </span>
    </label>
  );
}
