import type { AdminFeedback } from '@fpay/contract/admin/feedback';
import { connectorTypes } from '@fpay/contract/connectors';
import Smile from 'lucide-react/icons/smile';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { ShortStatus } from '../parts/short-status.tsx';
import { missing } from '../users/user-text.ts';
import { Stars } from './stars.tsx';

interface FeedbackRowsProps {
  rows: readonly AdminFeedback[];
  onOpen: (entry: AdminFeedback) => void;
}

/** A table where there is space, cards with the whole comment on a phone. */
export function FeedbackRows({ rows, onOpen }: FeedbackRowsProps) {
  const text = useText();
  const isWide = useWide();
  if (rows.length === 0) return <EmptyList>{text('oversight:noFeedback')}</EmptyList>;
  return isWide ? <FeedbackTable rows={rows} onOpen={onOpen} /> : <FeedbackCards rows={rows} onOpen={onOpen} />;
}

const columns = [
  'admin:time',
  'oversight:rating',
  'admin:station',
  'admin:user',
  'oversight:comment',
  'admin:total',
  'admin:status',
] as const satisfies readonly TextKey[];

function FeedbackTable({ rows, onOpen }: FeedbackRowsProps) {
  const text = useText();
  return (
    <div className="overflow-x-auto rounded-card bg-surface shadow-card">
      <table aria-label={text('admin:feedback')} className="w-full text-note">
        <thead>
          <tr className="h-9 border-b border-line text-left text-small text-ink-2">
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={`px-3 font-[650] ${column === 'admin:total' ? 'text-right' : ''}`}
              >
                {text(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => (
            <tr
              key={entry.id}
              className="relative h-10 border-b border-line *:px-3 *:whitespace-nowrap last:border-0 hover:bg-surface-2 has-focus-visible:bg-surface-2"
            >
              <td>
                {/* The button covers its whole row. */}
                <button type="button" data-row className="after:absolute after:inset-0" onClick={() => onOpen(entry)}>
                  <DateTime instant={entry.created_at} />
                  <span className="sr-only">
                    {text('oversight:openFeedback', { operation: entry.charging_operation_id })}
                  </span>
                </button>
              </td>
              <td>
                <Stars rating={entry.rating} />
              </td>
              <td>
                <b>{entry.charging_station}</b>{' '}
                <span className="text-ink-2">{connectorTypes[entry.connector_type].name}</span>
              </td>
              <td className="max-w-48 truncate">{entry.user_name || missing.name}</td>
              <td className="w-full max-w-0 truncate">
                <Comment comment={entry.comment} />
              </td>
              <td className="text-right font-bold">
                <Money amount={entry.total} />
              </td>
              <td>
                <ShortStatus status={entry.status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FeedbackCards({ rows, onOpen }: FeedbackRowsProps) {
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
    <span className="inline-flex items-center gap-1.5 text-ink-2">
      <Smile aria-hidden="true" size={16} />
      {text('oversight:noComment')}
    </span>
  );
}
