import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Trash2 from 'lucide-react/icons/trash-2';
import type { ReactNode } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { Card } from '../../../ui/layout/card.tsx';

interface EntryCardProps {
  /** How its buttons name it. */
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
  children: ReactNode;
}

/** One entry of an edited list, with its place in it. */
export function EntryCard({ name, isFirst, isLast, onMove, onRemove, children }: EntryCardProps) {
  const text = useText();
  return (
    <li>
      <Card className="flex flex-col gap-3">
        <div className="flex items-center gap-1">
          <h2 className="min-w-0 flex-1 text-label break-words">{name}</h2>
          <IconButton
            label={text('adminPhrases:up', { name })}
            icon={<ArrowUp aria-hidden="true" size={18} />}
            disabled={isFirst}
            onPress={() => onMove(-1)}
          />
          <IconButton
            label={text('adminPhrases:down', { name })}
            icon={<ArrowDown aria-hidden="true" size={18} />}
            disabled={isLast}
            onPress={() => onMove(1)}
          />
          <IconButton
            label={text('adminPhrases:remove', { name })}
            icon={<Trash2 aria-hidden="true" size={18} />}
            onPress={onRemove}
          />
        </div>
        {children}
      </Card>
    </li>
  );
}
