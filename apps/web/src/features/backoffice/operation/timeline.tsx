import { operationLabels } from '@fpay/contract/admin/filters';
import type { TimelineStep } from '@fpay/contract/admin/operations';
import { useQuery } from '@tanstack/react-query';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { operationViewQueries } from './queries.ts';
import { sourceNames } from './source-names.ts';

const names = {
  opened: 'adminOperations:stepOpened',
  held: 'adminOperations:stepHeld',
  start_sent: 'adminOperations:stepStartSent',
  started: 'adminOperations:stepStarted',
  first_reading: 'adminOperations:stepFirstReading',
  last_reading: 'adminOperations:stepLastReading',
  stop_requested: 'adminOperations:stepStopRequested',
  stopped: 'adminOperations:stepStopped',
  captured: 'adminOperations:stepCaptured',
  refunded: 'adminOperations:stepRefunded',
  released: 'adminOperations:stepReleased',
  ended: 'adminOperations:stepEnded',
  staff: 'adminOperations:stepStaff',
  note: 'adminOperations:stepNote',
} as const satisfies Record<TimelineStep['kind'], TextKey>;

const byStaff: readonly TimelineStep['kind'][] = ['staff', 'note'];

/** What became of a request to a second person; other actions are shown by their name in the audit. */
const requestTexts: Readonly<Record<string, TextKey>> = {
  'payment.request-payment-action': 'adminOperations:stepAsked',
  'payment.approve-payment-action': 'adminOperations:stepApproved',
  'payment.decline-payment-action': 'adminOperations:stepDeclined',
  'payment.end-payment-action': 'adminOperations:stepNotPossible',
};

/** The server says `action by name`. */
function staffText(said: string, text: ReturnType<typeof useText>): string {
  const [action = '', ...name] = said.split(' by ');
  const known = requestTexts[action];
  return known ? text(known, { name: name.join(' by ') }) : said;
}

/** The milestones of an operation, the oldest first. */
export function OperationTimeline({ id }: { id: number }) {
  const text = useText();
  const { data } = useQuery(operationViewQueries.timeline(id));
  /** Only reasons of the charger and notes of staff are shown as they were sent. */
  function aboutOf({ kind, text: said }: TimelineStep): string | null {
    if (kind === 'opened') return text(sourceNames[said as keyof typeof sourceNames]);
    if (kind === 'ended') return operationLabels[said as keyof typeof operationLabels];
    if (kind === 'staff') return staffText(said ?? '', text);
    return said;
  }
  return (
    <Card>
      <h2 className="mb-2 text-label">{text('adminOperations:timeline')}</h2>
      {!data && <Skeleton className="h-40" />}
      <ol aria-label={text('adminOperations:timeline')}>
        {data?.map((step) => (
          <li
            key={`${step.kind} ${step.at} ${step.text}`}
            className="relative flex gap-3 pb-3 before:absolute before:top-3 before:bottom-0 before:left-[5px] before:w-0.5 before:bg-line last:before:hidden"
          >
            <span
              aria-hidden="true"
              className={classNames(
                'relative mt-1 size-3 shrink-0 rounded-full',
                byStaff.includes(step.kind) ? 'bg-promo' : 'bg-free-fill',
              )}
            />
            <span className="min-w-0 flex-1">
              <span className="flex justify-between gap-2 text-note font-bold">
                {text(names[step.kind])}
                <span className="font-normal text-ink-2">
                  <DateTime instant={step.at} form="time" />
                </span>
              </span>
              {(step.amount !== null || step.text) && (
                <span className="block text-small break-words text-ink-2">
                  {step.amount !== null && <Money amount={step.amount} />}
                  {step.amount !== null && step.text && ' · '}
                  {aboutOf(step)}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
