import { chargedMinutes } from '@fpay/contract/charged-time';
import { awaitedStatuses, isAmong, type Operation, type OperationStatus } from '@fpay/contract/charging';
import Ban from 'lucide-react/icons/ban';
import CircleCheck from 'lucide-react/icons/circle-check';
import CreditCard from 'lucide-react/icons/credit-card';
import Unplug from 'lucide-react/icons/unplug';
import { type ReactNode, useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { DateTime } from '../../ui/format/date-time.tsx';
import { declineTexts } from '../../ui/format/decline-texts.ts';
import { formatMinutes } from '../../ui/format/minutes.ts';
import { formatMoney, Money } from '../../ui/format/money.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { BigEnergy, Spent, tints } from './hero.tsx';
import { serverNow } from './server-clock.ts';
import { isFinished, isRecent, netTotalOf, statusViews, titleOf } from './status-view.ts';

/** A text about the state before and after energy flows. */
export function MessageHero({ operation }: { operation: Operation }) {
  const text = useText();
  const { tone } = statusViews[operation.status];
  const look = classNames('@container rounded-card p-5', tints[tone]);
  if (isFinished(operation.status)) return <FinishedHero operation={operation} look={look} />;
  const isWaiting = tone === 'ready';
  const Sign = signs[operation.status];
  return (
    <section className={classNames(look, 'flex flex-col items-center gap-2 py-8 text-center max-[359px]:py-5')}>
      <Ring isTurning={isWaiting}>
        {Sign ? (
          <Sign aria-hidden="true" size={64} strokeWidth={1.5} />
        ) : (
          <ConnectorIcon type={operation.connector_type} withCable size={64} />
        )}
      </Ring>
      <div>
        <h1 className="mt-4 text-h1 text-[min(var(--text-h1),10.5vw)] text-balance text-ink max-[359px]:mt-2">
          {operation.decline_reason ? text('status:declined') : text(titleOf(operation))}
        </h1>
      </div>
      <p className="max-w-[20rem] text-body text-ink-2 text-pretty">
        <StateText operation={operation} />
      </p>
      {isAmong(awaitedStatuses, operation.status) && (
        <p className="tabular mt-2 rounded-badge bg-surface px-3 py-1.5 text-note font-bold">
          {text('status:attempt', { attempt: Math.max(1, operation.start_attempt), max: operation.max_attempts })}
        </p>
      )}
    </section>
  );
}

/** A failure has a sign of its own, because colour alone does not tell it apart. */
const signs: Partial<Record<OperationStatus, typeof Ban>> = { canceled: Ban, failed: Unplug, failed_hold: CreditCard };

/** What happens now or what to do. */
function StateText({ operation }: { operation: Operation }) {
  const text = useText();
  const { status, hold_status, decline_reason, card, amount, is_overcharged, payment_type } = operation;
  // Only a payment that the bank is processing is worth waiting for.
  if (status === 'created' && hold_status !== 'processing') return text('status:unpaidText');
  if (decline_reason)
    return (
      <>
        {text(declineTexts[decline_reason], { card: card ?? '', deposit: formatMoney(amount) }).replace('  ', ' ')}{' '}
        {text('status:nothingCharged')}
      </>
    );
  if (status === 'canceled' && is_overcharged) return text('status:canceledReturned');
  if (status === 'failed' && payment_type === 'free') return text('status:failedFree');
  const { message } = statusViews[status];
  return message && text(message);
}

function FinishedHero({ operation, look }: { operation: Operation; look: string }) {
  const text = useText();
  const { title, message } = statusViews[operation.status];
  const [now] = useState(serverNow);
  const minutes = chargedMinutes(dateOf(operation.started_at), dateOf(operation.finished_at));
  return (
    <section className={classNames(look, 'flex flex-col gap-3')}>
      <div className="flex flex-wrap items-center gap-x-2.5">
        <CircleCheck aria-hidden="true" size={24} />
        <h1 className="flex-1 text-body font-bold">{text(title)}</h1>
        {operation.finished_at && (
          <span className="text-note text-ink-2">
            <DateTime instant={operation.finished_at} />
          </span>
        )}
      </div>
      <BigEnergy operation={operation} still />
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-note text-ink-2">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <Spent operation={{ ...operation, total: netTotalOf(operation) }} still />
          {operation.refunded && (
            <s>
              <span className="sr-only">{text('status:before')}</span>
              <Money amount={operation.total} />
            </s>
          )}
        </span>
        {minutes !== null && <span className="tabular">{formatMinutes(minutes)}</span>}
      </p>
      {message && (isRecent(operation, now) || operation.status !== 'finished') && (
        <p className="text-note text-ink-2">{text(message)}</p>
      )}
    </section>
  );
}

const dateOf = (instant: string | null) => (instant === null ? null : new Date(instant));

function Ring({ isTurning, children }: { isTurning: boolean; children: ReactNode }) {
  return (
    // A drawing needs no larger size with larger text, and on a small phone the sentence below must be visible.
    <span className="relative grid size-[140px] place-items-center max-[359px]:size-[104px]">
      <span
        aria-hidden="true"
        className={classNames(
          'absolute inset-0 rounded-full border-8 border-current/20',
          isTurning && 'animate-spin border-t-ready-fill [animation-duration:2.4s]',
        )}
      />
      {children}
    </span>
  );
}
