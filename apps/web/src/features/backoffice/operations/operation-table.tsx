import type { AdminOperationItem } from '@fpay/contract/admin/operations';
import type { OperationSort } from '@fpay/contract/admin/sorts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Energy } from '../../../ui/format/energy.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { ShortHold, ShortStatus } from '../parts/short-status.tsx';
import type { StaffColumn } from '../parts/table/columns.ts';
import { StaffTable } from '../parts/table/staff-table.tsx';
import { NoteMark } from './note-mark.tsx';
import type { OperationRowsProps } from './operation-rows-props.ts';
import { PaymentIcon } from './payment-icon.tsx';
import { ReturnMark } from './return-mark.tsx';

const columns: readonly StaffColumn<AdminOperationItem, OperationSort['key']>[] = [
  {
    id: 'id',
    label: 'adminOperations:number',
    sort: 'id',
    width: 108,
    isFixed: true,
    className: 'tabular font-bold',
    cell: ({ id, notes }) => (
      <>
        {/* The link covers its whole row. */}
        <Link to={`/admin/operations/${id}`} data-row className="after:absolute after:inset-0">
          {id}
        </Link>
        <NoteMark notes={notes} />
      </>
    ),
  },
  { id: 'status', label: 'admin:status', sort: null, width: 92, cell: ({ status }) => <ShortStatus status={status} /> },
  { id: 'hold', label: 'admin:hold', sort: null, width: 78, cell: ({ hold }) => <ShortHold hold={hold} /> },
  {
    id: 'payment',
    label: 'admin:payment',
    sort: null,
    width: 76,
    cell: ({ payment_type: type }) => <PaymentIcon type={type} />,
  },
  { id: 'user', label: 'admin:user', sort: null, width: 160, grows: true, cell: ({ user }) => user.name },
  {
    id: 'station',
    label: 'admin:station',
    sort: null,
    width: 90,
    className: 'font-bold',
    cell: ({ station }) => station,
  },
  {
    id: 'energy',
    label: 'admin:energy',
    sort: 'energy',
    width: 124,
    isNumber: true,
    className: 'text-ink-2',
    cell: ({ energy }) => <Energy energy={energy} />,
  },
  {
    id: 'total',
    label: 'admin:total',
    sort: 'total',
    width: 108,
    isNumber: true,
    className: 'font-bold',
    cell: (row) => (
      <>
        <ReturnMark row={row} />
        <Money amount={row.total} />
      </>
    ),
  },
  {
    id: 'deposit',
    label: 'adminOperations:deposit',
    sort: 'amount',
    width: 108,
    isNumber: true,
    className: 'text-ink-2',
    cell: ({ amount }) => <Money amount={amount} />,
  },
  {
    id: 'time',
    label: 'admin:time',
    sort: null,
    width: 150,
    isNumber: true,
    className: 'text-ink-2',
    cell: ({ datetime }) => <DateTime instant={datetime} />,
  },
];

export function OperationTable({ rows, total, sort, onSort }: OperationRowsProps) {
  const text = useText();
  return (
    <StaffTable
      name="operations"
      label={text('admin:operations')}
      columns={columns}
      rows={rows}
      total={total}
      rowLabel={({ id }) => String(id)}
      copied={({ id }) => id}
      sort={sort}
      onSort={onSort}
    />
  );
}
