import type { Operation } from '@fpay/contract/charging';
import { connectorTypes } from '@fpay/contract/connectors';
import { billedIdleMinutes } from '@fpay/contract/idle-fee';
import { addressFor } from '@fpay/contract/languages';
import { kopecks } from '@fpay/contract/money';
import Star from 'lucide-react/icons/star';
import type { ReactNode } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Link } from '../../router/index.ts';
import { Money } from '../../ui/format/money.tsx';
import { formatNumber } from '../../ui/format/number-format.ts';
import { formatPower } from '../../ui/format/power.tsx';
import { isFinished, netTotalOf } from './status-view.ts';

const linkLook = 'flex min-h-11 items-center justify-end font-bold text-accent-text';

/** Everything about a charge that is over, each line a link where there is something to open. */
export function Facts({ operation }: { operation: Operation }) {
  const text = useText();
  const language = useLanguage();
  const { number, price, car, rating, connector_type, connector_number, connector_power } = operation;
  const address = addressFor(operation, language);
  return (
    <>
      <List label={text('status:info')}>
        <Fact name={text('status:station')}>
          <Link to={`/station/${number}`} className={linkLook}>
            {number}
          </Link>
        </Fact>
        <Fact name={text('status:address')}>
          <a
            href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`}
            target="_blank"
            rel="noreferrer"
            className={linkLook}
          >
            {address}
          </a>
        </Fact>
        <Fact name={text('status:connector')}>
          {connectorTypes[connector_type].name} {text('status:connectorNumber', { number: connector_number })},{' '}
          {formatPower(connector_power, { rated: true }, language)}
        </Fact>
        {price > 0 && (
          <Fact name={text('status:price')}>
            {formatNumber(price / 100, { least: 2, most: 2 }, language)} {text('status:perKwh')}
          </Fact>
        )}
        {car && (
          <Fact name={text('status:car')}>
            <Link to="/cars" className={linkLook}>
              {car}
            </Link>
          </Fact>
        )}
        {rating !== null && isFinished(operation.status) && (
          <Fact name={text('status:rating')}>
            <Stars rating={rating} />
          </Fact>
        )}
      </List>
      {isFinished(operation.status) && operation.payment_type !== 'free' && <Sums operation={operation} />}
    </>
  );
}

/** Exact to the kopeck: what was charged and what came back add up to the deposit. */
function Sums({ operation }: { operation: Operation }) {
  const text = useText();
  const { amount, total, idle, payment_type, card, status, is_overcharged, refunded } = operation;
  const isBalance = payment_type === 'bonuses';
  return (
    <List label={text('status:sums')}>
      <Fact name={text('status:deposit')}>
        <Money amount={amount} />
      </Fact>
      {idle && idle.total > 0 && (
        <>
          <Fact name={text('status:forEnergy')}>
            <Money amount={kopecks(total - idle.total)} />
          </Fact>
          <Fact name={text('status:forIdle', { minutes: billedIdleMinutes(idle.seconds, idle.grace_minutes) })}>
            <Money amount={idle.total} />
          </Fact>
        </>
      )}
      {amount > total && (
        <Fact
          name={
            status !== 'finished'
              ? text('status:willComeBack')
              : isBalance
                ? text('status:returnedToBalance')
                : is_overcharged
                  ? text('status:returnToCard')
                  : text('status:releasedOnCard')
          }
        >
          <Money amount={kopecks(amount - total)} className="text-accent-text" />
        </Fact>
      )}
      <Fact name={isBalance ? text('status:chargedBalance') : text('status:chargedCard', { card: card ?? '' }).trim()}>
        <Money amount={total} />
      </Fact>
      {refunded && (
        <>
          <Fact
            name={isBalance ? text('status:backSumBalance') : text('status:backSumCard', { card: card ?? '' }).trim()}
          >
            <span className="whitespace-nowrap text-accent-text">
              −<Money amount={refunded.amount} />
            </span>
          </Fact>
          <Fact name={text('status:net')}>
            <Money amount={netTotalOf(operation)} />
          </Fact>
        </>
      )}
    </List>
  );
}

function Stars({ rating }: { rating: number }) {
  const text = useText();
  return (
    <span
      role="img"
      aria-label={text('status:stars', { rating })}
      className="flex justify-end gap-0.5 text-accent-text"
    >
      {[1, 2, 3, 4, 5].map((star) => (
        <Star key={star} size={18} fill={star <= rating ? 'currentColor' : 'none'} />
      ))}
    </span>
  );
}

function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl aria-label={label} className="rounded-card bg-surface px-4 shadow-card">
      {children}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    // With large text the value is on a line of its own.
    <div className="flex min-h-12 flex-wrap items-center gap-x-4 border-line not-first:border-t py-1">
      <dt className="text-label font-normal text-ink-2">{name}</dt>
      <dd className="flex-1 basis-16 text-right text-label font-bold">{children}</dd>
    </div>
  );
}
