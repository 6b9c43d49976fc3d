import MessageSquare from 'lucide-react/icons/message-square';
import { useText } from '../../../i18n/use-text.ts';

/** Staff left a note here. */
export function NoteMark({ notes }: { notes: number }) {
  const text = useText();
  if (notes === 0) return null;
  const label = text('adminOperations:notes', { count: notes });
  return (
    <span role="img" aria-label={label} title={label} className="ml-1.5 inline-flex align-[-2px] text-promo">
      <MessageSquare aria-hidden="true" size={15} />
    </span>
  );
}
