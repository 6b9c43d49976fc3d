import Star from 'lucide-react/icons/star';
import { useText } from '../../i18n/use-text.ts';
import { useFavourite } from '../favourites/queries.ts';

/** Marks a station as a favourite; a second press unmarks it. */
export function FavouriteStar({ number }: { number: string }) {
  const text = useText();
  const favourite = useFavourite(number);
  if (!favourite) return null;
  return (
    <button
      type="button"
      aria-pressed={favourite.isMarked}
      aria-label={text('map:favourite', { number })}
      onClick={favourite.toggle}
      className="-my-2 mr-auto grid size-11 shrink-0 place-items-center rounded-control text-ink-2 active:bg-surface-2 aria-pressed:text-occupied"
    >
      <Star aria-hidden="true" size={22} fill={favourite.isMarked ? 'currentColor' : 'none'} />
    </button>
  );
}
