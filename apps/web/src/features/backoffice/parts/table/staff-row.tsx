import type { RowSelectionState } from '@tanstack/react-table';
import { memo } from 'react';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import type { StaffColumn } from './columns.ts';
import { Tick } from './tick.tsx';

export const rowHeight = 40;

interface StaffRowProps<Row, Key extends string> {
  row: Row;
  rowIndex: number;
  columns: readonly StaffColumn<Row, Key>[];
  label: string;
  isSelected: boolean;
  onSelect: (change: (now: RowSelectionState) => RowSelectionState) => void;
}

function TableRow<Row extends { id: number }, Key extends string>(props: StaffRowProps<Row, Key>) {
  const { row, rowIndex, columns, label, isSelected, onSelect } = props;
  function select(isChosen: boolean): void {
    onSelect(({ [row.id]: _, ...others }) => (isChosen ? { ...others, [row.id]: true } : others));
  }
  return (
    <tr
      aria-rowindex={rowIndex}
      style={{ height: rowHeight }}
      className={classNames(
        'relative border-b border-line *:px-3 *:whitespace-nowrap hover:bg-surface-2 has-[[data-row]:focus-visible]:bg-surface-2',
        isSelected && 'bg-surface-2',
      )}
    >
      <td>
        <Tick label={label} isTicked={isSelected} onTick={select} />
      </td>
      {columns.map(({ id, isNumber, className, cell }) => (
        <td key={id} className={classNames('truncate', isNumber && 'text-right', className)}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** While the list scrolls, only rows that come into view are rendered. */
export const StaffRow = memo(TableRow) as typeof TableRow;
