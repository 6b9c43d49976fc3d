import type { AdminFeedback } from '@fpay/contract/admin/feedback';
import type { FeedbackSort } from '@fpay/contract/admin/sorts';
import { connectorTypes } from '@fpay/contract/connectors';
import Smile from 'lucide-react/icons/smile';
import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { ShortStatus } from '../parts/short-status.tsx';
import type { StaffColumn } from '../parts/table/columns.ts';
import { StaffTable } from '../parts/table/staff-table.tsx';
import { missing } from '../users/user-text.ts';
import { Stars } from './stars.tsx';

interface FeedbackRowsProps {
  rows: readonly AdminFeedback[];
  /** Of the whole list, for screen readers. */
  total: number;
  sort: FeedbackSort;
  onSort: (sort: FeedbackSort) => void;
  onOpen: (entry: AdminFeedback) => void;
}

/** A table where there is space, cards with the whole comment on a phone. */
export function FeedbackRows(props: FeedbackRowsProps) {
  const text = useText();
  const isWide = useWide();
  if (props.rows.length === 0) return <EmptyList>{text('adminFeedback:noFeedback')}</EmptyList>;
  return isWide ? <FeedbackTable {...props} /> : <FeedbackCards rows={props.rows} onOpen={props.onOpen} />;
}

type FeedbackColumn = StaffColumn<AdminFeedback, FeedbackSort['key']>;

const timeColumn = (onOpen: FeedbackRowsProps['onOpen']): FeedbackColumn => ({
  id: 'time',
  label: 'admin:time',
  sort: 'id',
  width: 150,
  isFixed: true,
  cell: (entry) => <OpenButton entry={entry} onOpen={onOpen} />,
});

const otherColumns: readonly FeedbackColumn[] = [
  {
    id: 'rating',
    label: 'admin:rating',
    sort: 'rating',
    width: 124,
    cell: ({ rating }) => <Stars rating={rating} />,
  },
  {
    id: 'station',
    label: 'admin:station',
    sort: null,
    width: 170,
    cell: ({ charging_station: station, connector_type: type }) => (
      <>
        <b>{station}</b> <span className="text-ink-2">{connectorTypes[type].name}</span>
      </>
    ),
  },
  { id: 'user', label: 'admin:user', sort: null, width: 150, cell: ({ user_name: name }) => name || missing.name },
  {
    id: 'comment',
    label: 'adminFeedback:comment',
    sort: null,
    width: 200,
    grows: true,
    cell: ({ comment }) => <Comment comment={comment} />,
  },
  {
    id: 'total',
    label: 'admin:total',
    sort: null,
    width: 112,
    isNumber: true,
    className: 'font-bold',
    cell: ({ total }) => <Money amount={total} />,
  },
  {
    id: 'status',
    label: 'admin:status',
    sort: null,
    width: 96,
    cell: ({ status }) => <ShortStatus status={status} />,
  },
];

function FeedbackTable({ rows, total, sort, onSort, onOpen }: FeedbackRowsProps) {
  const text = useText();
  // The rows of a table are rendered once for their data, so what a press does must not change.
  const [columns] = useState(() => [timeColumn(onOpen), ...otherColumns]);
  return (
    <StaffTable
      name="feedback"
      label={text('admin:feedback')}
      columns={columns}
      rows={rows}
      total={total}
      rowLabel={({ charging_operation_id: operation }) => String(operation)}
      copied={({ charging_operation_id: operation }) => operation}
      sort={sort}
      onSort={onSort}
    />
  );
}

interface OpenButtonProps {
  entry: AdminFeedback;
  onOpen: FeedbackRowsProps['onOpen'];
}

/** The button covers its whole row. */
function OpenButton({ entry, onOpen }: OpenButtonProps) {
  const text = useText();
  return (
    <button type="button" data-row className="after:absolute after:inset-0" onClick={() => onOpen(entry)}>
      <DateTime instant={entry.created_at} />
      <span className="sr-only">{text('adminFeedback:openFeedback', { operation: entry.charging_operation_id })}</span>
    </button>
  );
}

function FeedbackCards({ rows, onOpen }: Pick<FeedbackRowsProps, 'rows' | 'onOpen'>) {
  const text = useText();
  return (
    <ul aria-label={text('admin:feedback')} className="overflow-hidden rounded-card bg-surface shadow-card">
      {rows.map((entry) => (
        <li key={entry.id} className="border-b border-line last:border-0">
          <button
            type="button"
            data-row
            className="flex w-full flex-col gap-1 px-4 py-3 text-left -outline-offset-3"
            onClick={() => onOpen(entry)}
          >
            <span className="flex w-full items-center gap-2 text-note">
              <Stars rating={entry.rating} />
              <b>{entry.charging_station}</b>
              <span className="flex-1 text-right text-small text-ink-2">
                <DateTime instant={entry.created_at} />
              </span>
            </span>
            <span className="text-body">
              <Comment comment={entry.comment} />
            </span>
            <span className="flex w-full items-center justify-between gap-2 text-note text-ink-2">
              <span className="min-w-0 truncate">
                {connectorTypes[entry.connector_type].name} · {entry.user_name || missing.name}
              </span>
              <ShortStatus status={entry.status} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What the driver wrote, or a smiley. */
export function Comment({ comment }: { comment: string | null }) {
  const text = useText();
  if (comment) return comment;
  return (
    <span className="inline-flex items-center gap-1.5 align-middle text-ink-2">
      <Smile aria-hidden="true" size={16} />
      {text('adminFeedback:noComment')}
    </span>
  );
}
