import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import type { OperationSort } from '@fpay/contract/admin/sorts';

/** What the table and the cards of operations get. */
export interface OperationRowsProps {
  rows: readonly AdminOperationItem[];
  /** Of the whole list, for screen readers. */
  total: number;
  sort: OperationSort;
  onSort: (sort: OperationSort) => void;
  /** A pointer or the focus entered or left the list. */
  onUse: (isInUse: boolean) => void;
}
