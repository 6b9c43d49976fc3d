import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { RefreshButton } from '../../../../ui/form/refresh-button.tsx';
import { Money } from '../../../../ui/format/money.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { useMay } from '../../parts/use-may.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { tariffQueries } from './queries.ts';

/** Tariffs that connectors share. A price that is set at a connector is none of them. */
export function Page() {
  const text = useText();
  const mayManage = useMay('manage-network');
  const list = useQuery(tariffQueries.list());
  const named = list.data?.filter(({ is_fixed }) => !is_fixed);
  return (
    <StaffPage
      title={text('networkTariffs:tariffs')}
      back="/admin"
      actions={<RefreshButton onRefresh={() => void list.refetch()} fetchedAt={list.dataUpdatedAt} />}
    >
      {mayManage && (
        <Button
          kind="main"
          className="self-start"
          to="/admin/network/tariffs/new"
          icon={<Plus aria-hidden="true" size={20} />}
        >
          {text('networkTariffs:newTariff')}
        </Button>
      )}
      <Loaded query={{ ...list, data: named }} empty={text('networkTariffs:noTariffs')}>
        {(named) => (
          <ul
            aria-label={text('networkTariffs:tariffs')}
            className="overflow-hidden rounded-card bg-surface shadow-card"
          >
            {named.map((tariff) => (
              <li
                key={tariff.id}
                className="relative flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 last:border-0 hover:bg-surface-2 lg:min-h-12"
              >
                <Link
                  to={`/admin/network/tariffs/${tariff.id}`}
                  data-row
                  className="min-w-0 flex-1 truncate text-label font-bold -outline-offset-3 after:absolute after:inset-0"
                >
                  {tariff.name}
                </Link>
                {tariff.has_plan && <Badge tone="charging">{text('networkTariffs:planned')}</Badge>}
                {tariff.is_waiting && <Badge tone="occupied">{text('network:waitsForApproval')}</Badge>}
                {tariff.discount && <Badge tone="promo">−{tariff.discount.percent} %</Badge>}
                {tariff.hours && <Badge tone="ready">{text('networkTariffs:byHours')}</Badge>}
                <span className="text-small text-ink-2">
                  {text('network:connectorCount', { count: tariff.connectors })}
                </span>
                <Money amount={tariff.price_now} className="text-label font-bold" />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </StaffPage>
  );
}
