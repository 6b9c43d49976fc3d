import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { TextKey } from '../../../../i18n/text-key.ts';

/** Only these: the server filters, sorts and pages. */
export const features = tableFeatures({
  columnOrderingFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
});

export interface StaffColumn<Row, Key extends string> {
  id: string;
  label: TextKey;
  /** In px. Fixed widths spare the browser measuring every cell for every row that scrolls into the window. */
  width: number;
  /** Takes the space that is left, until its width is set by hand. */
  grows?: boolean;
  isNumber?: boolean;
  /** The sort of the server's list; null where the list has none. */
  sort: Key | null;
  /** Has the link of its row, so it is always shown. */
  isFixed?: boolean;
  className?: string;
  cell: (row: Row) => ReactNode;
}

export const widths = { least: 56, most: 640, step: 16, selection: 40 } as const;
