import Columns from 'lucide-react/icons/columns-3';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { CopyButton } from '../copy-button.tsx';

interface TableBarProps {
  /** What is copied of each selected row. */
  selected: readonly (string | number)[];
  onClear: () => void;
  /** How many columns are hidden. */
  hidden: number;
  onArrange: () => void;
}

/** Above a table: what is selected, and the columns. */
export function TableBar({ selected, onClear, hidden, onArrange }: TableBarProps) {
  const text = useText();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-note text-ink-2">
        {selected.length > 0 && text('admin:selected', { count: selected.length })}
      </span>
      {selected.length > 0 && (
        <>
          <CopyButton value={selected.join('\n')} label={text('admin:copySelected')} />
          <Button kind="text" size="s" onPress={onClear}>
            {text('admin:clearSelection')}
          </Button>
        </>
      )}
      <Button
        kind="text"
        size="s"
        className="ml-auto"
        icon={<Columns aria-hidden="true" size={18} />}
        onPress={onArrange}
      >
        {hidden === 0 ? text('admin:columns') : text('admin:columnsHidden', { count: hidden })}
      </Button>
    </div>
  );
}
