import { awaitedStatuses, isAmong, type Operation, type OperationStatus } from '@fpay/contract/charging';
import { connectorTypes } from '@fpay/contract/connectors';
import Ban from 'lucide-react/icons/ban';
import Banknote from 'lucide-react/icons/banknote';
import Car from 'lucide-react/icons/car';
import CircleCheck from 'lucide-react/icons/circle-check';
import CreditCard from 'lucide-react/icons/credit-card';
import Unplug from 'lucide-react/icons/unplug';
import { type ReactNode, useEffect, useState } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { DateTime } from '../../ui/format/date-time.tsx';
import { declineTexts } from '../../ui/format/decline-texts.ts';
import { formatKwh } from '../../ui/format/energy.tsx';
import { formatMoney, Money } from '../../ui/format/money.tsx';
import { formatPercent } from '../../ui/format/number-format.ts';
import { formatPower } from '../../ui/format/power.tsx';
import { chargeTimeLeft } from '../../ui/format/time-left.ts';
import { classNames } from '../../ui/hooks/class-names.ts';
import { useReducedMotion } from '../../ui/hooks/use-reduced-motion.ts';
import type { ShownStatus } from '../../ui/layout/status-badge.tsx';
import { BatteryIndicator } from '../../ui/picture/battery-indicator.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { isFinished, isRecent, minutesOf, statusViews, titleOf } from './status-view.ts';

const variantMs = 15_000;

const tints = {
  free: 'bg-free-tint text-free',
  ready: 'bg-ready-tint text-ready',
  charging: 'bg-charging-tint text-charging',
  occupied: 'bg-occupied-tint text-occupied',
  offline: 'bg-offline-tint text-offline',
  error: 'bg-error-tint text-error',
} as const satisfies Record<ShownStatus, string>;

/** Present energy and money, the largest elements on the screen, and the battery. */
export function ChargingHero({ operation, isLost }: { operation: Operation; isLost: boolean }) {
  const text = useText();
  const isStill = useReducedMotion();
  const variant = useVariant(operation.energy);
  const { title } = statusViews[operation.status];
  const { soc, percentage, time_left } = operation;
  // Of an offline station it is not known whether power still flows.
  const isForeseen = operation.status === 'ongoing' && operation.is_online;
  const left = isForeseen && time_left !== null ? chargeTimeLeft(time_left) : null;
  return (
    <section className={classNames('@container flex flex-col gap-3 rounded-card p-5 max-[359px]:p-4', tints.charging)}>
      <div className="flex flex-wrap items-center gap-x-3 text-body font-bold max-[359px]:text-label max-[359px]:font-bold">
        <span
          aria-hidden="true"
          className={classNames(
            'ml-1 size-3 shrink-0 rounded-full',
            isLost ? 'bg-offline-fill' : 'animate-live bg-charging-fill text-charging-fill',
          )}
        />
        <div role="status" className="flex-1">
          <h1>{operation.idle?.is_awaiting_unplug ? text('status:unplug') : text(title)}</h1>
        </div>
        {left && (
          <span className="tabular whitespace-nowrap">
            {left.unit === 'hours'
              ? text('status:hoursLeft', { count: left.count })
              : text('status:minutesLeft', { count: left.count })}
          </span>
        )}
      </div>
      <div className="flex min-h-28 flex-col justify-center gap-4">
        {(isStill || variant === 'energy') && <BigEnergy operation={operation} isDim={isLost} />}
        {(isStill || variant === 'connector') && <ConnectorVariant operation={operation} />}
      </div>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-note text-ink-2">
        <Spent operation={operation} />
        {soc !== null && percentage !== null ? (
          <span className="tabular">{text('status:ofDeposit', { percent: formatPercent(percentage) })}</span>
        ) : (
          <PaidBy operation={operation} />
        )}
      </p>
      <Battery operation={operation} />
    </section>
  );
}

/** The car's own state of charge when the car reports it, otherwise the share of the sum; it says which. */
function Battery({ operation: { soc, percentage, car } }: { operation: Operation }) {
  const text = useText();
  const shown = soc ?? percentage;
  if (shown === null) return null;
  const percent = formatPercent(shown);
  const isCar = soc !== null;
  return (
    <>
      <BatteryIndicator
        percent={shown}
        label={isCar ? text('status:batteryCar', { percent }) : text('status:batterySum', { percent })}
      />
      <p aria-hidden="true" className="flex flex-wrap items-center justify-between gap-x-3 text-note text-ink-2">
        <strong className="tabular flex items-center gap-2.5 text-label font-bold text-ink">
          {isCar ? <Car size={20} /> : <Banknote size={20} />}
          {isCar ? text('status:carCharge', { percent }) : text('status:ofSum', { percent })}
        </strong>
        <span>{isCar ? car : text('status:carUnknown')}</span>
      </p>
    </>
  );
}

/** The way to pay, where nothing more useful is known. */
function PaidBy({ operation: { payment_type, card } }: { operation: Operation }) {
  const text = useText();
  if (payment_type === 'free') return null;
  return (
    <span>
      {payment_type === 'bonuses' ? text('status:fromBalance') : text('status:card', { card: card ?? '' }).trim()}
    </span>
  );
}

/** The present amount, or a text that nothing has to be paid. */
function Spent({ operation: { payment_type, total }, still = false }: { operation: Operation; still?: boolean }) {
  const text = useText();
  return (
    <span className="text-[1.625rem] leading-[2.125rem] font-[750] tracking-tight text-ink">
      {payment_type === 'free' ? text('status:free') : <Money amount={total} still={still} />}
    </span>
  );
}

type HeroVariant = 'energy' | 'connector';

/** Energy and connector alternate; new energy is shown at once. */
function useVariant(energy: number): HeroVariant {
  const [variant, setVariant] = useState<HeroVariant>('energy');
  useEffect(() => {
    const timer = setInterval(() => setVariant((shown) => (shown === 'energy' ? 'connector' : 'energy')), variantMs);
    return () => clearInterval(timer);
  }, []);
  const [seen, setSeen] = useState(energy);
  if (seen !== energy) {
    setSeen(energy);
    setVariant('energy');
  }
  return variant;
}

/** As large as the block allows: 92 px, smaller for a number with more digits or on a narrow phone. */
function BigEnergy({
  operation,
  isDim = false,
  still = false,
}: {
  operation: Operation;
  isDim?: boolean;
  still?: boolean;
}) {
  const text = useText();
  const language = useLanguage();
  const number = formatKwh(operation.energy, 2, language);
  return (
    <p
      className={classNames(!still && 'tabular', 'animate-fade-in text-ink', isDim && 'opacity-72')}
      data-testid="energy"
    >
      <span
        // Tabular figures have a gap before a narrow digit; this aligns the number with the lines below it.
        className="-ml-[0.06em] leading-none font-extrabold tracking-[-0.045em] whitespace-nowrap"
        style={{ fontSize: `min(92px, calc((100cqw - 94px) / ${(0.49 * number.length).toFixed(2)}))` }}
      >
        {number}
      </span>{' '}
      <span className="ml-1.5 text-h2 whitespace-nowrap text-ink-2">{text('generic:kwh')}</span>
    </p>
  );
}

function ConnectorVariant({ operation }: { operation: Operation }) {
  const text = useText();
  const language = useLanguage();
  return (
    <p className="flex animate-fade-in items-center gap-4" data-testid="connector">
      <span className="grid size-20 shrink-0 place-items-center rounded-card bg-surface">
        <ConnectorIcon type={operation.connector_type} withCable size={52} />
      </span>
      <span className="min-w-0 text-ink">
        <span className="block text-[2.25rem] leading-[1.12] font-extrabold tracking-tight">
          {connectorTypes[operation.connector_type].name}
        </span>
        <span className="block text-body text-ink-2">
          {text('status:upTo', {
            number: operation.connector_number,
            power: formatPower(operation.connector_power, { rated: true }, language),
          })}
        </span>
      </span>
    </p>
  );
}

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
      <div role="status">
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
  const [now] = useState(() => Date.now());
  const minutes = minutesOf(operation);
  return (
    <section className={classNames(look, 'flex flex-col gap-3')}>
      <div role="status" className="flex flex-wrap items-center gap-x-2.5">
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
        <Spent operation={operation} still />
        {minutes !== null && <span className="tabular">{text('status:minutes', { count: minutes })}</span>}
      </p>
      {message && (isRecent(operation, now) || operation.status !== 'finished') && (
        <p className="text-note text-ink-2">{text(message)}</p>
      )}
    </section>
  );
}

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
