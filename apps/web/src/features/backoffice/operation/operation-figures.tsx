import type { AdminOperation } from '@fpay/contract/admin/operations';
import { connectorTypes } from '@fpay/contract/connectors';
import { watts } from '@fpay/contract/money';
import UserRound from 'lucide-react/icons/user-round';
import type { ReactNode } from 'react';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Energy } from '../../../ui/format/energy.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { formatNumber, formatPercent, gap } from '../../../ui/format/number-format.ts';
import { Power } from '../../../ui/format/power.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { figureGrid } from '../parts/figure-grid.ts';

/** What the operation has delivered and what it costs; who charges, and where. */
export function OperationFigures({ operation }: { operation: AdminOperation }) {
  const text = useText();
  const language = useLanguage();
  const { energy, energy_limit: limit, total, amount, power, current, soc, car } = operation;
  return (
    <>
      <div className={figureGrid}>
        <Figure label={text('admin:energy')} value={<Energy energy={energy} />} share={limit ? energy / limit : null}>
          {limit !== null && (
            <>
              {text('admin:of')} <Energy energy={limit} />
            </>
          )}
        </Figure>
        <Figure label={text('admin:total')} value={<Money amount={total} />} share={amount ? total / amount : null}>
          {text('admin:ofDeposit')} <Money amount={amount} />
        </Figure>
        <Figure label={text('admin:power')} value={power < 0 ? '—' : <Power power={watts(power)} />}>
          {current >= 0 && `${formatNumber(current, { least: 0, most: 1 }, language)}${gap}A`}
        </Figure>
        <Figure label={text('admin:battery')} value={soc === null ? '—' : formatPercent(soc, language)}>
          {car}
        </Figure>
      </div>
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-2">
        <Card className="flex flex-wrap items-center gap-3">
          <span className="min-w-0 flex-1 basis-36">
            <span className="block truncate text-label">{operation.user_name}</span>
            <span className="flex flex-wrap gap-x-3 text-small text-ink-2">
              <span>{operation.phone_number}</span> <Money amount={operation.user_balance} />
            </span>
          </span>
          <Button size="s" to={`/admin/users/${operation.user_id}`} icon={<UserRound aria-hidden="true" size={18} />}>
            {text('admin:user')}
          </Button>
        </Card>
        <Card>
          <span className="block text-label">
            {operation.station_number} · {connectorTypes[operation.connector_type].name} № {operation.connector_number}{' '}
            · <Power power={operation.connector_power} rated />
          </span>
          <span className="block text-small text-ink-2">
            {language === 'uk' ? operation.address_uk : operation.address} · {operation.charge_point} ·{' '}
            {operation.is_online ? text('admin:online') : text('admin:offline')}
          </span>
        </Card>
      </div>
    </>
  );
}

interface FigureProps {
  label: string;
  value: ReactNode;
  children?: ReactNode;
  /** 0 to 1. */
  share?: number | null;
}

function Figure({ label, value, children, share = null }: FigureProps) {
  return (
    <Card className="px-4 py-3">
      <p className="text-small text-ink-2">{label}</p>
      <p className="tabular text-[clamp(1rem,5vw,1.375rem)] leading-8 font-extrabold">{value}</p>
      <p className="min-h-4.5 text-small break-words text-ink-2">{children}</p>
      {share !== null && (
        <span aria-hidden="true" className="mt-1 block h-1 overflow-hidden rounded-full bg-charging-tint">
          <span className="block h-full bg-charging-fill" style={{ width: `${Math.min(100, share * 100)}%` }} />
        </span>
      )}
    </Card>
  );
}
