import type { CaseItem, CaseQueueView } from '@fpay/contract/admin/cases';
import AlarmClock from 'lucide-react/icons/alarm-clock';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { missing } from '../users/user-text.ts';
import { caseBadge, caseTitle } from './case-text.ts';
import { formatMs } from './time-to-answer.ts';

/** Of the open cases in their order on the page, whose turn it is. */
const groups = [
  { label: 'adminCases:groupMine', has: (item, reader) => item.state === 'open' && item.owner?.id === reader },
  { label: 'adminCases:groupNew', has: (item) => item.state === 'open' && item.owner === null },
  { label: 'adminCases:groupOthers', has: (item) => item.state === 'open' },
  { label: 'adminCases:groupWaiting', has: (item) => item.state === 'waiting' },
  { label: 'adminCases:groupSnoozed', has: (item) => item.state === 'snoozed' },
  { label: 'adminCases:groupClosed', has: () => true },
] as const satisfies readonly { label: TextKey; has: (item: CaseItem, reader: number) => boolean }[];

interface CaseListProps {
  rows: readonly CaseItem[];
  view: CaseQueueView;
  reader: number;
  /** The case that is open beside the list. */
  opened: number | null;
  addressOf: (id: number) => string;
  isFiltered: boolean;
}

/** The queue, in groups by whose turn it is. */
export function CaseQueue({ rows, view, reader, opened, addressOf, isFiltered }: CaseListProps) {
  const text = useText();
  if (rows.length === 0)
    return (
      <EmptyList>{text(isFiltered || view === 'closed' ? 'adminCases:nothingFound' : 'adminCases:none')}</EmptyList>
    );
  const grouped = Map.groupBy(rows, (item) => groups.find(({ has }) => has(item, reader))?.label);
  return (
    <div className="flex flex-col">
      {groups.map(({ label }) => {
        const own = grouped.get(label) ?? [];
        return own.length === 0 ? null : (
          <section key={label}>
            <h2 className="border-b border-line px-4 py-2 text-small font-bold text-ink-2">{text(label)}</h2>
            <ul aria-label={text(label)}>
              {own.map((item) => (
                <CaseRow
                  key={item.id}
                  item={item}
                  reader={reader}
                  isOpen={item.id === opened}
                  to={addressOf(item.id)}
                />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

const minuteMs = 60_000;

function CaseRow({ item, reader, isOpen, to }: { item: CaseItem; reader: number; isOpen: boolean; to: string }) {
  const text = useText();
  const now = useNow(minuteMs);
  const { label, tone } = caseBadge(item, reader);
  const since = item.waiting_since ?? item.changed_at;
  return (
    <li className="border-b border-line last:border-0">
      <Link
        to={to}
        data-row
        aria-current={isOpen ? 'true' : undefined}
        className={classNames(
          'flex flex-col gap-1 px-4 py-3 -outline-offset-3',
          isOpen ? 'bg-accent-soft' : 'hover:bg-surface-2',
        )}
      >
        <span className="flex items-start gap-2">
          <b className="min-w-0 flex-1 text-note wrap-anywhere">{caseTitle(item, text)}</b>
          <span className="tabular shrink-0 text-small text-ink-2">{formatMs(now - Date.parse(since))}</span>
        </span>
        <span className="truncate text-small text-ink-2">
          {[item.user.name || missing.name, item.charging_station].filter(Boolean).join(' · ')}
        </span>
        <span className="flex flex-wrap items-center gap-2 text-small">
          <Badge tone={tone}>{text(label)}</Badge>
          {item.charging_operation_id !== null && (
            <span className="tabular">{text('adminCases:chargeNumber', { id: item.charging_operation_id })}</span>
          )}
          {item.snoozed_until && (
            <span className="inline-flex items-center gap-1 text-ink-2">
              <AlarmClock aria-hidden="true" size={14} />
              {text('adminCases:wakes')} <DateTime instant={item.snoozed_until} />
            </span>
          )}
          {item.waiting_since && item.state === 'open' && (
            <span
              role="img"
              aria-label={text('adminCases:unanswered')}
              className="ml-auto size-2.5 rounded-full bg-charging-fill"
            />
          )}
        </span>
      </Link>
    </li>
  );
}
