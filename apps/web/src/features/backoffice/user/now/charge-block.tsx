import type { UserNow, UserNowCharge } from '@fpay/contract/admin/user-now';
import { connectorTypes } from '@fpay/contract/connectors';
import { addressFor } from '@fpay/contract/languages';
import { watts } from '@fpay/contract/money';
import type { ReactNode } from 'react';
import { useLanguage, useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { Energy } from '../../../../ui/format/energy.tsx';
import { Money } from '../../../../ui/format/money.tsx';
import { formatPercent } from '../../../../ui/format/number-format.ts';
import { Power } from '../../../../ui/format/power.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { ShortHold, ShortStatus } from '../../parts/short-status.tsx';
import { commandTexts, outcomeTexts, outcomeTones } from './now-texts.ts';

interface ChargeBlockProps {
  charge: UserNowCharge;
  answers: UserNow['answers'];
  /** The buttons of what can be done now. */
  children: ReactNode;
}

/** The open charge of the caller, or the last one in grey, with what the charger answered. */
export function ChargeBlock({ charge, answers, children }: ChargeBlockProps) {
  const text = useText();
  const language = useLanguage();
  const title = text(charge.is_open ? 'adminUsers:openCharge' : 'adminUsers:lastCharge');
  return (
    <section
      aria-label={title}
      className={classNames(
        'overflow-hidden rounded-card bg-surface shadow-card',
        charge.is_open && 'outline-2 -outline-offset-2 outline-charging-fill',
      )}
    >
      <div className="flex flex-col gap-3 p-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <ShortStatus status={charge.status} />
          <ShortHold hold={charge.hold} />
          <h2 className="text-label">
            <Link to={`/admin/operations/${charge.id}`} className="text-accent-text">
              № {charge.id}
            </Link>
          </h2>
          <span className="min-w-0 text-note text-ink-2">
            {charge.station_number} · {connectorTypes[charge.connector_type].name} № {charge.connector_number} ·{' '}
            <Power power={charge.connector_power} rated /> · {addressFor(charge, language)}
          </span>
        </div>
        <ChargeValues charge={charge} />
        {children}
      </div>
      {answers.length > 0 && <Answers answers={answers} />}
    </section>
  );
}

function ChargeValues({ charge }: { charge: UserNowCharge }) {
  const text = useText();
  const language = useLanguage();
  const { energy, energy_limit: limit, total, amount, power, soc, measured_at: measuredAt } = charge;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Value label={text('admin:energy')} note={limit !== null && <OfEnergy limit={limit} />}>
        <Energy energy={energy} />
      </Value>
      <Value
        label={text('admin:total')}
        note={
          <>
            {text('admin:of')} <Money amount={amount} />
          </>
        }
      >
        <Money amount={total} />
      </Value>
      <Value
        label={text('adminOperations:power')}
        note={charge.is_open && measuredAt !== null && <DateTime instant={measuredAt} form="time" />}
      >
        {!charge.is_open || power < 0 ? '—' : <Power power={watts(power)} />}
      </Value>
      <Value label={text('adminOperations:battery')} note={<DateTime instant={charge.created_at} />}>
        {soc === null ? '—' : formatPercent(soc, language)}
      </Value>
    </dl>
  );
}

function OfEnergy({ limit }: { limit: NonNullable<UserNowCharge['energy_limit']> }) {
  const text = useText();
  return (
    <>
      {text('admin:of')} <Energy energy={limit} />
    </>
  );
}

function Value({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-ink-2">{label}</dt>
      <dd>
        <span className="tabular block text-h2 font-extrabold break-words">{children}</span>
        <span className="block text-small text-ink-2">{note}</span>
      </dd>
    </div>
  );
}

function Answers({ answers }: { answers: UserNow['answers'] }) {
  const text = useText();
  return (
    <div className="bg-surface-3 px-4 py-3">
      <h3 className="text-small text-ink-2">{text('adminUsers:chargerAnswers')}</h3>
      <ul aria-label={text('adminUsers:chargerAnswers')}>
        {answers.map(({ id, at, command, outcome, raw }) => {
          const known = commandTexts[command];
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1 text-note">
              <span className="font-bold">{known ? text(known) : command}</span>
              <Badge tone={outcomeTones[outcome]}>{text(outcomeTexts[outcome])}</Badge>
              <span className="ml-auto text-small text-ink-2">
                <DateTime instant={at} form="time" />
              </span>
              {raw !== null && <RawText raw={raw} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** What the device or the product said, for technicians: folded away. */
export function RawText({ raw }: { raw: string }) {
  const text = useText();
  return (
    <details className="w-full text-small text-ink-2">
      <summary className="cursor-pointer">{text('adminUsers:rawText')}</summary>
      <code className="block font-mono break-all">{raw}</code>
    </details>
  );
}
