import { type ReactNode, useState } from 'react';
import { useText } from '../../../../i18n/use-text.ts';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { useVisibleRows } from '../../../../ui/hooks/use-visible-rows.ts';
import { ColumnHead, type HeadSort } from './column-head.tsx';
import { type StaffColumn, widths } from './columns.ts';
import { ColumnsPopup } from './columns-popup.tsx';
import { rowHeight, StaffRow } from './staff-row.tsx';
import { TableBar } from './table-bar.tsx';
import { Tick } from './tick.tsx';
import { useStaffTable } from './use-staff-table.ts';

interface StaffTableProps<Row, Key extends string> {
  /** Names the arrangement of the columns in the browser's storage. */
  name: string;
  label: string;
  columns: readonly StaffColumn<Row, Key>[];
  rows: readonly Row[];
  /** Of the whole list, for screen readers. */
  total: number;
  /** A row for people who cannot see the table, and what is copied of it. */
  rowLabel: (row: Row) => string;
  copied: (row: Row) => string | number;
  sort: HeadSort<Key>;
  onSort: (sort: HeadSort<Key>) => void;
}

/** A list of staff on a wide screen: columns that can be arranged, rows that can be selected, the server's sort. */
export function StaffTable<Row extends { id: number }, Key extends string>(props: StaffTableProps<Row, Key>) {
  const { name, label, columns, rows, total, copied } = props;
  const staffTable = useStaffTable(name, columns, rows);
  const { table, shown, selected, arrangement } = staffTable;
  const [isArranging, setArranging] = useState(false);
  return (
    <div className="@container flex flex-col gap-2">
      <TableBar
        selected={selected.map(copied)}
        onClear={() => table.resetRowSelection(true)}
        hidden={columns.length - shown.length}
        onArrange={() => setArranging(true)}
      />
      <ScrollBox width={table.getTotalSize() + widths.selection}>
        <table
          aria-label={label}
          aria-rowcount={total + 1}
          style={{ minWidth: table.getTotalSize() + widths.selection }}
          className="w-full table-fixed text-note"
        >
          <Widths columns={shown} set={arrangement.widths} />
          <Head {...props} {...staffTable} />
          <Body {...props} {...staffTable} />
        </table>
      </ScrollBox>
      <ColumnsPopup
        open={isArranging}
        onClose={() => setArranging(false)}
        columns={columns}
        arrangement={arrangement}
        onArrange={staffTable.arrange}
        onReset={staffTable.reset}
      />
    </div>
  );
}

/** A table up to this width needs no box of its own to scroll in. */
const fittingPx = 1080;

/**
 * A box that scrolls by itself is drawn as a layer of its own, as high as all rows, so it is one only where it must be: beside
 * the other parts of a page it may be narrow on a wide screen.
 */
function ScrollBox({ width, children }: { width: number; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'overflow-x-auto rounded-card bg-surface shadow-card',
        width <= fittingPx && '@min-[1080px]:overflow-x-visible',
      )}
    >
      {children}
    </div>
  );
}

interface WidthsProps {
  columns: readonly { id: string; width: number; grows?: boolean }[];
  /** By hand. */
  set: Readonly<Record<string, number>>;
}

function Widths({ columns, set }: WidthsProps) {
  return (
    <colgroup>
      <col style={{ width: widths.selection }} />
      {columns.map(({ id, grows = false, width }) => (
        <col key={id} style={grows && !set[id] ? undefined : { width: set[id] ?? width }} />
      ))}
    </colgroup>
  );
}

type PartProps<Row extends { id: number }, Key extends string> = StaffTableProps<Row, Key> &
  ReturnType<typeof useStaffTable<Row, Key>>;

function Head<Row extends { id: number }, Key extends string>(props: PartProps<Row, Key>) {
  const { table, columns, rows, selected, sort, onSort } = props;
  const text = useText();
  return (
    <thead>
      <tr aria-rowindex={1} className="h-9 border-b border-line text-small text-ink-2">
        <th scope="col" className="px-3">
          <Tick
            label={text('admin:selectAll')}
            isTicked={rows.length > 0 && selected.length === rows.length}
            onTick={(isTicked) => table.toggleAllRowsSelected(isTicked)}
          />
        </th>
        {table.getHeaderGroups()[0]?.headers.map((header) => {
          const column = columns.find(({ id }) => id === header.column.id);
          if (!column) return null;
          const resize = header.getResizeHandler();
          return <ColumnHead key={column.id} column={column} now={sort} onSort={onSort} onResize={resize} />;
        })}
      </tr>
    </thead>
  );
}

function Body<Row extends { id: number }, Key extends string>(props: PartProps<Row, Key>) {
  const { table, rows, shown, rowLabel } = props;
  const text = useText();
  const { list, first, last, before, after } = useVisibleRows<HTMLTableSectionElement>(rows.length, rowHeight);
  return (
    <tbody ref={list}>
      {before > 0 && <tr style={{ height: before }} />}
      {rows.slice(first, last).map((row, index) => (
        <StaffRow
          key={row.id}
          row={row}
          rowIndex={first + index + 2}
          columns={shown}
          label={text('admin:selectRow', { row: rowLabel(row) })}
          isSelected={Boolean(table.state.rowSelection[row.id])}
          onSelect={table.setRowSelection}
        />
      ))}
      {after > 0 && <tr style={{ height: after }} />}
    </tbody>
  );
}
