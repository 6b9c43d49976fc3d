import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { useText } from '../../../../i18n/use-text.ts';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import type { StaffColumn } from './columns.ts';

export interface HeadSort<Key extends string> {
  key: Key;
  isDescending: boolean;
}

interface ColumnHeadProps<Row, Key extends string> {
  column: StaffColumn<Row, Key>;
  now: HeadSort<Key>;
  onSort: (sort: HeadSort<Key>) => void;
  onResize: (event: unknown) => void;
}

/** A press sorts the largest first, the next press the smallest. The edge is pulled by a pointer; keys have the popup. */
export function ColumnHead<Row, Key extends string>({ column, now, onSort, onResize }: ColumnHeadProps<Row, Key>) {
  const text = useText();
  const { label, sort, isNumber } = column;
  const isSorted = sort === now.key;
  const Arrow = now.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (now.isDescending ? 'descending' : 'ascending') : undefined}
      className={classNames('relative px-3 font-[650]', isNumber ? 'text-right' : 'text-left')}
    >
      {sort === null ? (
        <span className="block truncate">{text(label)}</span>
      ) : (
        <button
          type="button"
          className="inline-flex min-h-8 max-w-full items-center gap-1"
          onClick={() => onSort({ key: sort, isDescending: isSorted ? !now.isDescending : true })}
        >
          <span className="truncate">{text(label)}</span>
          {isSorted && <Arrow aria-hidden="true" size={14} className="shrink-0" />}
        </button>
      )}
      <span
        aria-hidden="true"
        data-resize
        onMouseDown={onResize}
        onTouchStart={onResize}
        className="absolute inset-y-1 -right-1 z-10 w-2 cursor-col-resize touch-none border-r border-transparent select-none hover:border-line-strong active:border-ink"
      />
    </th>
  );
}
