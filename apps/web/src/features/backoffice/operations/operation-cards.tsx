import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import { memo } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { useVisibleRows } from '../../../ui/hooks/use-visible-rows.ts';
import { ShortHold, ShortStatus } from '../parts/short-status.tsx';
import { NoteMark } from './note-mark.tsx';
import type { OperationRowsProps } from './operation-rows-props.ts';
import { PaymentIcon } from './payment-icon.tsx';
import { ReturnMark } from './return-mark.tsx';

const rowHeight = 68;

export function OperationCards({ rows, total }: OperationRowsProps) {
  const text = useText();
  const { list, first, last, before, after } = useVisibleRows<HTMLUListElement>(rows.length, rowHeight);
  return (
    <ul
      ref={list}
      aria-label={text('admin:operations')}
      className="overflow-hidden rounded-card bg-surface shadow-card"
    >
      <li aria-hidden="true" style={{ height: before }} />
      {rows.slice(first, last).map((row, index) => (
        <OperationCard key={row.id} row={row} position={first + index + 1} total={total} />
      ))}
      <li aria-hidden="true" style={{ height: after }} />
    </ul>
  );
}

interface OperationCardProps {
  row: AdminOperationItem;
  position: number;
  total: number;
}

/** While the list scrolls, only rows that come into view are rendered. */
const OperationCard = memo(function OperationCard({ row, position, total }: OperationCardProps) {
  return (
    <li aria-posinset={position} aria-setsize={total} style={{ height: rowHeight }}>
      <Link
        to={`/admin/operations/${row.id}`}
        data-row
        className="flex h-full flex-col justify-center gap-1 border-b border-line px-4 -outline-offset-3"
      >
        <span className="flex items-center gap-2">
          <span className="tabular text-label font-bold">
            {row.id}
            <NoteMark notes={row.notes} />
          </span>
          <ShortStatus status={row.status} />
          <ShortHold hold={row.hold} />
          <span className="ml-auto min-w-0 truncate text-note">
            <ReturnMark row={row} />
            <Money amount={row.total} className="font-bold" /> <span className="text-ink-2">/</span>{' '}
            <Money amount={row.amount} className="text-ink-2" />
          </span>
        </span>
        <span className="flex items-center gap-2 text-small text-ink-2">
          <PaymentIcon type={row.payment_type} />
          <span className="min-w-0 flex-1 truncate">
            {row.station} · {row.user.name}
          </span>
          <DateTime instant={row.datetime} />
        </span>
      </Link>
    </li>
  );
});
