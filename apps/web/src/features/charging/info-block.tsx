import type { Operation } from '@fpay/contract/charging';
import { watts } from '@fpay/contract/money';
import Gauge from 'lucide-react/icons/gauge';
import Lock from 'lucide-react/icons/lock';
import Tag from 'lucide-react/icons/tag';
import Timer from 'lucide-react/icons/timer';
import type { ReactNode } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Money } from '../../ui/format/money.tsx';
import { formatNumber } from '../../ui/format/number-format.ts';
import { Power } from '../../ui/format/power.tsx';
import type { Freshness } from './freshness.ts';
import { useServerNow } from './server-clock.ts';
import { elapsedMinutes, isShownCharging } from './status-view.ts';

/**
 * Numbers beside those of the hero: speed, price, time and deposit. A free charge has neither price nor deposit, and the
 * hero says that it is free.
 */
export function InfoBlock({ operation, freshness }: { operation: Operation; freshness: Freshness }) {
  const text = useText();
  const language = useLanguage();
  const now = useServerNow(10_000);
  const minutes = elapsedMinutes(operation, now);
  const isPaid = operation.payment_type !== 'free';
  return (
    <dl aria-label={text('status:info')} className="grid grid-cols-2 rounded-card bg-surface px-4 shadow-card">
      <Cell icon={<Gauge size={18} />} label={text('status:speed')}>
        {isShownCharging(operation.status) ? <Speed operation={operation} isKnown={freshness === 'fresh'} /> : '—'}
      </Cell>
      {isPaid && (
        <Cell icon={<Tag size={18} />} label={text('status:price')}>
          {formatNumber(operation.price / 100, { least: 2, most: 2 }, language)}{' '}
          <span className="text-note text-ink-2">{text('status:perKwh')}</span>
        </Cell>
      )}
      <Cell icon={<Timer size={18} />} label={text('status:elapsed')}>
        {minutes === null ? '—' : text('status:minutes', { count: minutes })}
      </Cell>
      {isPaid && (
        <Cell icon={<Lock size={18} />} label={text('status:deposit')}>
          <Money amount={operation.amount} rounded />
        </Cell>
      )}
    </dl>
  );
}

/** Amperes, kW, or both, as the device reports them. -1 means unknown, and so is what an old reading said. */
function Speed({ operation: { current, power }, isKnown }: { operation: Operation; isKnown: boolean }) {
  const text = useText();
  const language = useLanguage();
  if (!isKnown || (current === -1 && power === -1))
    return <span className="text-body text-ink-2">{text('status:unavailable')}</span>;
  const amps = current !== -1 && (
    <span className="whitespace-nowrap">
      {text('status:amps', { current: formatNumber(current, { least: 0, most: 0 }, language) })}
    </span>
  );
  const kilowatts = power !== -1 && <Power power={watts(power)} />;
  if (!amps || !kilowatts) return amps || kilowatts;
  return (
    <>
      {kilowatts} <span className="text-note text-ink-2">· {amps}</span>
    </>
  );
}

function Cell({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <div className="min-w-0 border-line py-3 odd:border-r odd:pr-3 even:pl-4 [&:nth-child(n+3)]:border-t">
      <dt className="flex items-center gap-2 text-note text-ink-2">
        <span aria-hidden="true">{icon}</span>
        {label}
      </dt>
      <dd className="tabular mt-0.5 text-card font-extrabold">{children}</dd>
    </div>
  );
}
