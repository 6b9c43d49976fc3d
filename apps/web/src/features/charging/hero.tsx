import type { Operation } from '@fpay/contract/charging';
import { connectorTypes } from '@fpay/contract/connectors';
import Banknote from 'lucide-react/icons/banknote';
import Car from 'lucide-react/icons/car';
import { useEffect, useState } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { formatAge } from '../../ui/format/age.ts';
import { formatKwh } from '../../ui/format/energy.tsx';
import { Money } from '../../ui/format/money.tsx';
import { formatInstant, formatPercent } from '../../ui/format/number-format.ts';
import { formatPower } from '../../ui/format/power.tsx';
import { chargeTimeLeft } from '../../ui/format/time-left.ts';
import { classNames } from '../../ui/hooks/class-names.ts';
import { useReducedMotion } from '../../ui/hooks/use-reduced-motion.ts';
import type { ShownStatus } from '../../ui/layout/status-badge.tsx';
import { BatteryIndicator } from '../../ui/picture/battery-indicator.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { type Freshness, readingAgeMs } from './freshness.ts';
import { useServerNow } from './server-clock.ts';
import { statusViews } from './status-view.ts';

const variantMs = 15_000;

export const tints = {
  free: 'bg-free-tint text-free',
  ready: 'bg-ready-tint text-ready',
  charging: 'bg-charging-tint text-charging',
  occupied: 'bg-occupied-tint text-occupied',
  offline: 'bg-offline-tint text-offline',
  error: 'bg-error-tint text-error',
} as const satisfies Record<ShownStatus, string>;

interface ChargingHeroProps {
  operation: Operation;
  /** The phone has no network. */
  isLost: boolean;
  freshness: Freshness;
}

/** Present energy and money, the largest elements on the screen, and the battery. */
export function ChargingHero({ operation, isLost, freshness }: ChargingHeroProps) {
  const isStill = useReducedMotion();
  const variant = useVariant(operation.energy);
  const isFresh = freshness === 'fresh';
  return (
    <section
      data-freshness={freshness}
      className={classNames(
        '@container flex flex-col gap-3 rounded-card p-5 max-[359px]:p-4',
        tints[isFresh ? 'charging' : 'offline'],
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 text-body font-bold max-[359px]:text-label max-[359px]:font-bold">
        <span
          aria-hidden="true"
          className={classNames(
            'ml-1 size-3 shrink-0 rounded-full',
            isLost || !isFresh ? 'bg-offline-fill' : 'animate-live bg-charging-fill text-charging-fill',
          )}
        />
        <div className="flex-1">
          <h1>
            <Title operation={operation} isFresh={isFresh} isLost={isLost} />
          </h1>
        </div>
        {!isFresh && <ReadingAge operation={operation} />}
        {isFresh && <TimeLeft operation={operation} />}
      </div>
      <div className="flex min-h-28 flex-col justify-center gap-4">
        {(isStill || variant === 'energy') && <BigEnergy operation={operation} isDim={isLost || !isFresh} />}
        {(isStill || variant === 'connector') && <ConnectorVariant operation={operation} />}
      </div>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-note text-ink-2">
        <Spent operation={operation} />
        <BesideSpent operation={operation} isFresh={isFresh} />
      </p>
      <Battery operation={operation} isFresh={isFresh} />
    </section>
  );
}

function Title({ operation, isFresh, isLost }: { operation: Operation; isFresh: boolean; isLost: boolean }) {
  const text = useText();
  if (operation.idle?.is_awaiting_unplug) return text('status:unplug');
  // Without readings it is not known whether power still flows.
  if (!isFresh && !isLost && operation.status === 'ongoing') return text('status:noNewData');
  return text(statusViews[operation.status].title);
}

function TimeLeft({ operation: { status, time_left } }: { operation: Operation }) {
  const text = useText();
  const left = status === 'ongoing' && time_left !== null ? chargeTimeLeft(time_left) : null;
  if (!left) return null;
  const { count } = left;
  return (
    <span className="tabular whitespace-nowrap">
      {left.unit === 'hours' ? text('status:hoursLeft', { count }) : text('status:minutesLeft', { count })}
    </span>
  );
}

/** The time of an old reading, or the share of the deposit where the battery shows something else, or the way to pay. */
function BesideSpent({ operation, isFresh }: { operation: Operation; isFresh: boolean }) {
  const text = useText();
  const language = useLanguage();
  const { soc, percentage, read_at } = operation;
  if (!isFresh && read_at)
    return (
      <span className="tabular">{text('status:asOf', { time: formatInstant(read_at, clockForm, language) })}</span>
    );
  if (soc !== null && percentage !== null)
    return <span className="tabular">{text('status:ofDeposit', { percent: formatPercent(percentage) })}</span>;
  return <PaidBy operation={operation} />;
}

/** Time of day with seconds, because the age beside it has seconds too. */
const clockForm = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

function ReadingAge({ operation }: { operation: Operation }) {
  const ageMs = readingAgeMs(operation, useServerNow(1000));
  return ageMs !== null && <span className="tabular whitespace-nowrap">{formatAge(ageMs)}</span>;
}

/** The car's own state of charge when the car reports it, otherwise the share of the sum; it says which. */
function Battery({ operation: { soc, percentage, car }, isFresh }: { operation: Operation; isFresh: boolean }) {
  const text = useText();
  const shown = soc ?? percentage;
  if (shown === null) return null;
  const percent = formatPercent(shown);
  const isCar = soc !== null;
  return (
    <>
      <BatteryIndicator
        percent={shown}
        isOld={!isFresh}
        label={isCar ? text('status:batteryCar', { percent }) : text('status:batterySum', { percent })}
      />
      <p aria-hidden="true" className="flex flex-wrap items-center justify-between gap-x-3 text-note text-ink-2">
        <strong className="tabular flex items-center gap-2.5 text-label font-bold text-ink">
          {isCar ? <Car size={20} /> : <Banknote size={20} />}
          {isCar
            ? text(isFresh ? 'status:carCharge' : 'status:carWas', { percent })
            : text('status:ofSum', { percent })}
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
export function Spent({
  operation: { payment_type, total },
  still = false,
}: {
  operation: Operation;
  still?: boolean;
}) {
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
export function BigEnergy({
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
