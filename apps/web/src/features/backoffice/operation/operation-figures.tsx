import type { AdminOperation } from '@fpay/contract/admin/operations';
import { connectorTypes } from '@fpay/contract/connectors';
import { addressFor } from '@fpay/contract/languages';
import { watts } from '@fpay/contract/money';
import UserRound from 'lucide-react/icons/user-round';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Energy } from '../../../ui/format/energy.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { formatNumber, formatPercent, gap } from '../../../ui/format/number-format.ts';
import { Power } from '../../../ui/format/power.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Figure } from '../../../ui/layout/figure.tsx';
import { figureGrid } from '../parts/figure-grid.ts';

/** What the operation has delivered and what it costs; who charges, and where. */
export function OperationFigures({ operation }: { operation: AdminOperation }) {
  const text = useText();
  const language = useLanguage();
  const { energy, energy_limit: limit, total, amount, power, current, soc, car } = operation;
  return (
    <>
      <dl className={figureGrid}>
        <Figure
          label={text('admin:energy')}
          share={limit ? energy / limit : null}
          note={
            limit !== null && (
              <>
                {text('admin:of')} <Energy energy={limit} />
              </>
            )
          }
        >
          <Energy energy={energy} />
        </Figure>
        <Figure
          label={text('admin:total')}
          share={amount ? total / amount : null}
          note={
            <>
              {text('adminOperations:ofDeposit')} <Money amount={amount} />
            </>
          }
        >
          <Money amount={total} />
        </Figure>
        <Figure
          label={text('adminOperations:power')}
          note={current >= 0 && `${formatNumber(current, { least: 0, most: 1 }, language)}${gap}A`}
        >
          {power < 0 ? '—' : <Power power={watts(power)} />}
        </Figure>
        <Figure label={text('adminOperations:battery')} note={car}>
          {soc === null ? '—' : formatPercent(soc, language)}
        </Figure>
      </dl>
      <WhoAndWhere operation={operation} />
    </>
  );
}

function WhoAndWhere({ operation }: { operation: AdminOperation }) {
  const text = useText();
  const language = useLanguage();
  return (
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
          {operation.station_number} · {connectorTypes[operation.connector_type].name} № {operation.connector_number} ·{' '}
          <Power power={operation.connector_power} rated />
        </span>
        <span className="block text-small text-ink-2">
          {addressFor(operation, language)} · {operation.charge_point} ·{' '}
          {operation.is_online ? text('adminOperations:online') : text('adminOperations:offline')}
        </span>
      </Card>
    </div>
  );
}
