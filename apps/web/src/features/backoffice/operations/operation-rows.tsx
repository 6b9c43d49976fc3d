import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import { useText } from '../../../i18n/use-text.ts';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import type { ListAddress } from './filters.ts';
import { OperationCards } from './operation-cards.tsx';
import { OperationTable } from './operation-table.tsx';

export interface OperationRowsProps {
  rows: readonly AdminOperationItem[];
  /** Of the whole list, for screen readers. */
  total: number;
  sort: ListAddress['sort'];
  onSort: (sort: ListAddress['sort']) => void;
  /** A pointer or the focus entered or left the list. */
  onUse: (isInUse: boolean) => void;
}

/** A table where there is space, two lines per operation on a phone. */
export function OperationRows(props: OperationRowsProps) {
  const text = useText();
  const isWide = useWide();
  if (props.rows.length === 0)
    return (
      <p className="rounded-card bg-surface p-8 text-center text-body text-ink-2 shadow-card">
        {text('admin:noOperations')}
      </p>
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the list is in use.
    <div
      onPointerEnter={() => props.onUse(true)}
      onPointerLeave={() => props.onUse(false)}
      onFocus={() => props.onUse(true)}
      onBlur={() => props.onUse(false)}
    >
      {isWide ? <OperationTable {...props} /> : <OperationCards {...props} />}
    </div>
  );
}
