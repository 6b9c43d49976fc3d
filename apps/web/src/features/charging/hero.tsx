import { awaitedStatuses, isAmong, type Operation, type OperationStatus } from '@fpay/contract/charging';
import { connectorTypes } from '@fpay/contract/connectors';
import Ban from 'lucide-react/icons/ban';
import CircleCheck from 'lucide-react/icons/circle-check';
import CreditCard from 'lucide-react/icons/credit-card';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useEffect, useState } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { formatKwh } from '../../ui/format/energy.tsx';
import { Money } from '../../ui/format/money.tsx';
import { formatPercent } from '../../ui/format/number-format.ts';
import { formatPower } from '../../ui/format/power.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { useReducedMotion } from '../../ui/hooks/use-reduced-motion.ts';
import type { ShownStatus } from '../../ui/layout/status-badge.tsx';
import { BatteryIndicator } from '../../ui/picture/battery-indicator.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { isFinished, statusViews } from './status-view.ts';

const variantMs = 15_000;

const tints = {
  free: 'bg-free-tint text-free',
  ready: 'bg-ready-tint text-ready',
  charging: 'bg-charging-tint text-charging',
  occupied: 'bg-occupied-tint text-occupied',
  offline: 'bg-offline-tint text-offline',
  error: 'bg-error-tint text-error',
} as const satisfies Record<ShownStatus, string>;

/** Present energy and money, the largest elements on the screen. */
export function ChargingHero({ operation, isLost }: { operation: Operation; isLost: boolean }) {
  const text = useText();
  const isStill = useReducedMotion();
  const variant = useVariant(operation.energy);
  const { title } = statusViews[operation.status];
  return (
    <section className={classNames('@container flex flex-col gap-3 rounded-card p-5 max-[359px]:p-4', tints.charging)}>
      <div className="flex items-center gap-3 text-body font-bold max-[359px]:text-label max-[359px]:font-bold">
        <span
          aria-hidden="true"
          className={classNames(
            'ml-1 size-3 rounded-full',
            isLost ? 'bg-offline-fill' : 'animate-live bg-charging-fill text-charging-fill',
          )}
        />
        <div role="status" className="flex-1">
          <h1>{text(title)}</h1>
        </div>
        {operation.percentage !== null && (
          <span className="tabular">{text('status:ofDeposit', { percent: formatPercent(operation.percentage) })}</span>
        )}
      </div>
      <div className="flex min-h-28 flex-col justify-center gap-4">
        {(isStill || variant === 'energy') && <BigEnergy operation={operation} isDim={isLost} />}
        {(isStill || variant === 'connector') && <ConnectorVariant operation={operation} />}
      </div>
      <p className="flex items-center justify-between text-ink">
        <Spent operation={operation} />
        {!isStill && <VariantDots variant={variant} />}
      </p>
      {operation.percentage !== null && <BatteryIndicator percent={operation.percentage} />}
    </section>
  );
}

/** The present amount, or a text that nothing has to be paid. */
function Spent({ operation: { payment_type, total } }: { operation: Operation }) {
  const text = useText();
  return (
    <span className="text-[1.625rem] leading-[2.125rem] font-[750] tracking-tight text-ink">
      {payment_type === 'free' ? text('status:free') : <Money amount={total} />}
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

function VariantDots({ variant }: { variant: HeroVariant }) {
  return (
    <span aria-hidden="true" className="flex items-center gap-1.5 text-charging-fill">
      {(['energy', 'connector'] as const).map((each) => (
        <span
          key={each}
          className={classNames('h-2 rounded-full', each === variant ? 'w-5 bg-current' : 'w-2 bg-current/30')}
        />
      ))}
    </span>
  );
}

/** As large as the block allows: 92 px, smaller for a number with more digits or on a narrow phone. */
function BigEnergy({ operation, isDim = false }: { operation: Operation; isDim?: boolean }) {
  const text = useText();
  const language = useLanguage();
  const number = formatKwh(operation.energy, 2, language);
  return (
    <p
      className={classNames('tabular animate-fade-in whitespace-nowrap text-ink', isDim && 'opacity-72')}
      data-testid="energy"
    >
      <span
        // Tabular figures have a gap before a narrow digit; this aligns the number with the lines below it.
        className="-ml-[0.06em] leading-none font-extrabold tracking-[-0.045em]"
        style={{ fontSize: `min(92px, calc((100cqw - 94px) / ${(0.49 * number.length).toFixed(2)}))` }}
      >
        {number}
      </span>{' '}
      <span className="ml-1.5 text-h2 text-ink-2">{text('generic:kwh')}</span>
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
            power: formatPower(operation.connector_power, {}, language),
          })}
        </span>
      </span>
    </p>
  );
}

/** A charge that did not happen has a sign of its own, so that colour is not the only difference. */
const signs: Partial<Record<OperationStatus, typeof CircleCheck>> = {
  canceled: Ban,
  failed: TriangleAlert,
  failed_hold: CreditCard,
};

/** A text about the state before and after energy flows. */
export function MessageHero({ operation }: { operation: Operation }) {
  const text = useText();
  const { tone, title, message } = statusViews[operation.status];
  const look = classNames('@container rounded-card p-5', tints[tone]);
  if (isFinished(operation.status))
    return (
      <section className={classNames(look, 'flex flex-col gap-3')}>
        <div role="status" className="flex items-center gap-2.5">
          <CircleCheck aria-hidden="true" size={24} />
          <h1 className="text-body font-bold">{text(title)}</h1>
        </div>
        <BigEnergy operation={operation} />
        <Spent operation={operation} />
        {message && <p className="text-note text-ink-2">{text(message)}</p>}
      </section>
    );
  const isWaiting = tone === 'ready';
  const Sign = signs[operation.status];
  return (
    <section className={classNames(look, 'flex flex-col items-center gap-2 py-8 text-center')}>
      <Ring isTurning={isWaiting}>
        {Sign ? (
          <Sign aria-hidden="true" size={60} strokeWidth={1.5} />
        ) : (
          <ConnectorIcon type={operation.connector_type} withCable size={64} />
        )}
      </Ring>
      <div role="status">
        <h1 className="mt-4 text-h1 text-balance text-ink">{text(title)}</h1>
      </div>
      {message && <p className="max-w-[20rem] text-body text-ink-2 text-pretty">{text(message)}</p>}
      {isAmong(awaitedStatuses, operation.status) && (
        <p className="tabular mt-2 rounded-badge bg-surface px-3 py-1.5 text-note font-bold">
          {text('status:attempt', { attempt: Math.max(1, operation.start_attempt), max: operation.max_attempts })}
        </p>
      )}
    </section>
  );
}

function Ring({ isTurning, children }: { isTurning: boolean; children: ReactNode }) {
  return (
    <span className="relative grid size-35 place-items-center">
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
