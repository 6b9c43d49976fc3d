import { useText } from '../../../i18n/use-text.ts';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { OperationCards } from './operation-cards.tsx';
import type { OperationRowsProps } from './operation-rows-props.ts';
import { OperationTable } from './operation-table.tsx';

/** A table where there is space, two lines per operation on a phone. */
export function OperationRows(props: OperationRowsProps) {
  const text = useText();
  const isWide = useWide();
  if (props.rows.length === 0) return <EmptyList>{text('adminOperations:noOperations')}</EmptyList>;
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
