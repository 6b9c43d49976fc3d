import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { memo } from 'react';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Energy } from '../../../ui/format/energy.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useVisibleRows } from '../../../ui/hooks/use-visible-rows.ts';
import { ShortHold, ShortStatus } from '../parts/short-status.tsx';
import type { ListAddress, SortKey } from './filters.ts';
import { NoteMark } from './note-mark.tsx';
import type { OperationRowsProps } from './operation-rows-props.ts';
import { PaymentIcon } from './payment-icon.tsx';
import { ReturnMark } from './return-mark.tsx';

const rowHeight = 40;

/**
 * Widths in px; the name of the user takes the rest. Without them the browser would measure every cell of the table again
 * for every row that scrolls into the window.
 */
const columns = [
  { label: 'admin:number', sort: 'id', width: 108 },
  { label: 'admin:status', sort: null, width: 92 },
  { label: 'admin:hold', sort: null, width: 78 },
  { label: 'admin:payment', sort: null, width: 84 },
  { label: 'admin:user', sort: 'user', width: null },
  { label: 'admin:station', sort: 'station', width: 94 },
  { label: 'admin:energy', sort: 'energy', width: 128, isNumber: true },
  { label: 'admin:total', sort: 'total', width: 112, isNumber: true },
  { label: 'admin:deposit', sort: 'amount', width: 112, isNumber: true },
  { label: 'admin:time', sort: null, width: 150, isNumber: true },
] as const satisfies readonly { label: TextKey; sort: SortKey | null; width: number | null; isNumber?: boolean }[];

export function OperationTable({ rows, total, sort, onSort }: OperationRowsProps) {
  const text = useText();
  const { list, first, last, before, after } = useVisibleRows<HTMLTableSectionElement>(rows.length, rowHeight);
  return (
    // A box that scrolls by itself is drawn as a layer of its own, as high as all rows, so it is one only where it must be:
    // beside the other parts of a page it may be narrow on a wide screen.
    <div className="@container">
      <div className="overflow-x-auto rounded-card bg-surface shadow-card @min-[1080px]:overflow-x-visible">
        <table
          aria-label={text('admin:operations')}
          aria-rowcount={total + 1}
          className="w-full min-w-[1080px] table-fixed text-note"
        >
          <colgroup>
            {columns.map(({ label, width }) => (
              <col key={label} style={width === null ? undefined : { width }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1} className="h-9 border-b border-line text-small text-ink-2">
              {columns.map((column) => (
                <ColumnHead
                  key={column.label}
                  label={column.label}
                  sort={column.sort}
                  isNumber={'isNumber' in column}
                  now={sort}
                  onSort={onSort}
                />
              ))}
            </tr>
          </thead>
          <tbody ref={list}>
            {before > 0 && <tr style={{ height: before }} />}
            {rows.slice(first, last).map((row, index) => (
              <OperationRow key={row.id} row={row} rowIndex={first + index + 2} />
            ))}
            {after > 0 && <tr style={{ height: after }} />}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** While the list scrolls, only rows that come into view are rendered. */
const OperationRow = memo(function OperationRow({ row, rowIndex }: { row: AdminOperationItem; rowIndex: number }) {
  return (
    <tr
      aria-rowindex={rowIndex}
      style={{ height: rowHeight }}
      className="relative border-b border-line *:px-3 *:whitespace-nowrap hover:bg-surface-2 has-focus-visible:bg-surface-2"
    >
      <td className="tabular font-bold">
        {/* The link covers its whole row. */}
        <Link to={`/admin/operations/${row.id}`} data-row className="after:absolute after:inset-0">
          {row.id}
        </Link>
        <NoteMark notes={row.notes} />
      </td>
      <td>
        <ShortStatus status={row.status} />
      </td>
      <td>
        <ShortHold hold={row.hold} />
      </td>
      <td>
        <PaymentIcon type={row.payment_type} />
      </td>
      <td className="truncate">{row.user.name}</td>
      <td className="font-bold">{row.station}</td>
      <td className="text-right text-ink-2">
        <Energy energy={row.energy} />
      </td>
      <td className="text-right font-bold">
        <ReturnMark row={row} />
        <Money amount={row.total} />
      </td>
      <td className="text-right text-ink-2">
        <Money amount={row.amount} />
      </td>
      <td className="text-right text-ink-2">
        <DateTime instant={row.datetime} />
      </td>
    </tr>
  );
});

interface ColumnHeadProps {
  label: TextKey;
  sort: SortKey | null;
  isNumber: boolean;
  now: ListAddress['sort'];
  onSort: (sort: ListAddress['sort']) => void;
}

/** A press sorts the largest first, the next press the smallest. */
function ColumnHead({ label, sort, isNumber, now, onSort }: ColumnHeadProps) {
  const text = useText();
  const isSorted = sort === now.key;
  const Arrow = now.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (now.isDescending ? 'descending' : 'ascending') : undefined}
      className={classNames('px-3 font-[650]', isNumber ? 'text-right' : 'text-left')}
    >
      {sort === null ? (
        text(label)
      ) : (
        <button
          type="button"
          className="inline-flex min-h-8 items-center gap-1"
          onClick={() => onSort({ key: sort, isDescending: isSorted ? !now.isDescending : true })}
        >
          {text(label)}
          {isSorted && <Arrow aria-hidden="true" size={14} />}
        </button>
      )}
    </th>
  );
}
