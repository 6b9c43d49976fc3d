import { functionalUpdate, type RowSelectionState, useTable } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { inWidths, orderOf, useArrangement, usual } from './arrangement.ts';
import { features, type StaffColumn, widths } from './columns.ts';

/** The state of a table: which columns in which order and width, and which rows are selected. */
export function useStaffTable<Row extends { id: number }, Key extends string>(
  name: string,
  columns: readonly StaffColumn<Row, Key>[],
  rows: readonly Row[],
) {
  const { arrangement, arrange } = useArrangement(name);
  const [rowSelection, setRowSelection] = useState<RowSelectionState>({});
  const definitions = useMemo(
    () =>
      columns.map(({ id, width, isFixed = false }) => ({
        id,
        size: width,
        minSize: widths.least,
        maxSize: widths.most,
        enableHiding: !isFixed,
      })),
    [columns],
  );
  const order = orderOf(
    columns.map(({ id }) => id),
    arrangement,
  );
  const isShown = arrangement.isShown;
  // The same array while nothing changes, because each row is rendered again for another one.
  const shownIds = order.filter((id) => isShown[id] ?? true).join();
  const shown = useMemo(
    () => shownIds.split(',').flatMap((id) => columns.find((column) => column.id === id) ?? []),
    [columns, shownIds],
  );
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: ({ id }) => String(id),
    columnResizeMode: 'onChange',
    state: {
      columnOrder: order,
      columnVisibility: arrangement.isShown,
      columnSizing: arrangement.widths,
      rowSelection,
    },
    onColumnOrderChange: (updater) => arrange({ ...arrangement, order: functionalUpdate(updater, order) }),
    onColumnVisibilityChange: (updater) =>
      arrange({ ...arrangement, isShown: functionalUpdate(updater, arrangement.isShown) }),
    onColumnSizingChange: (updater) => {
      const next = functionalUpdate(updater, arrangement.widths);
      arrange({
        ...arrangement,
        widths: Object.fromEntries(Object.entries(next).map(([id, px]) => [id, inWidths(px)])),
      });
    },
    onRowSelectionChange: setRowSelection,
  });
  return {
    table,
    /** In their order. */
    shown,
    selected: rows.filter(({ id }) => rowSelection[id]),
    arrangement: { ...arrangement, order },
    arrange,
    /** Null: nothing was changed. */
    reset: arrangement === usual ? null : () => arrange(usual),
  };
}
