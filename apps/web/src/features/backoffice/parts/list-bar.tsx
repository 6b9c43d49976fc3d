import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { type ReactNode, useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { useWide } from '../../../ui/hooks/use-wide.ts';

interface ListBarProps {
  /** The most used field; on a phone it is alone in the first row. */
  first: ReactNode;
  /** Beside it on a desktop; on a phone behind a button, so that the list begins on the first screen. */
  others: ReactNode;
  /** In rows of their own below. */
  below?: ReactNode;
  /** How many filters are set; the button shows it while they are hidden. */
  filtered?: number;
}

/** The fields above a list. */
export function ListBar({ first, others, below, filtered = 0 }: ListBarProps) {
  const text = useText();
  const isWide = useWide();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        {first}
        {isWide ? (
          others
        ) : (
          <button
            type="button"
            aria-label={text('admin:listSettings')}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="relative grid size-14 shrink-0 place-items-center rounded-control bg-surface-2"
          >
            <SlidersHorizontal aria-hidden="true" size={22} />
            {filtered > 0 && (
              <span className="absolute top-1 right-1 rounded-badge bg-charging-tint px-1.5 text-small text-charging">
                {filtered}
              </span>
            )}
          </button>
        )}
      </div>
      {!isWide && isOpen && <div className="flex flex-wrap items-end gap-2">{others}</div>}
      {(isWide || isOpen) && below}
    </div>
  );
}
