import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import type { ListAddress } from './filters.ts';

/** What the table and the cards of operations get. */
export interface OperationRowsProps {
  rows: readonly AdminOperationItem[];
  /** Of the whole list, for screen readers. */
  total: number;
  sort: ListAddress['sort'];
  onSort: (sort: ListAddress['sort']) => void;
  /** A pointer or the focus entered or left the list. */
  onUse: (isInUse: boolean) => void;
}
