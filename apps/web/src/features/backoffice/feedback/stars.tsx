import { ratingMood } from '@fpay/contract/admin/feedback';
import Star from 'lucide-react/icons/star';
import { useText } from '../../../i18n/use-text.ts';

const moods = { good: 'text-free', neutral: 'text-occupied', bad: 'text-error' } as const;

/** A rating as stars in the colour of its mood, with the number for a screen reader. */
export function Stars({ rating, size = 16 }: { rating: number; size?: number }) {
  const text = useText();
  const mood = ratingMood(rating);
  return (
    <span
      role="img"
      aria-label={text('adminFeedback:ratingOf', { rating })}
      data-mood={mood}
      className={`inline-flex shrink-0 gap-px align-middle ${moods[mood]}`}
    >
      {[1, 2, 3, 4, 5].map((star) => (
        <Star
          key={star}
          aria-hidden="true"
          size={size}
          fill={star <= Math.round(rating) ? 'currentColor' : 'none'}
          strokeWidth={star <= Math.round(rating) ? 2 : 1.5}
          className={star <= Math.round(rating) ? undefined : 'opacity-40'}
        />
      ))}
    </span>
  );
}
