import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { useParams } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { RefreshButton } from '../../../../ui/form/refresh-button.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { useMay } from '../../parts/use-may.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { CommandCard } from './command-card.tsx';
import { Connectors } from './connectors.tsx';
import { LinkBadge } from './link-badge.tsx';
import { LinkCard, RefusedCard } from './link-card.tsx';
import { MessageCard } from './message-card.tsx';
import { chargePointKey, chargePointQueries } from './queries.ts';

const list = '/admin/network/charge-points';

/** One charge point: its connectors, its connection, its messages, and what staff can ask of it. */
export function Page() {
  const text = useText();
  const queryClient = useQueryClient();
  const id = Number(useParams().chargePoint);
  const maySeeReport = useMay('see-stats');
  const found = useQuery(chargePointQueries.view(id));
  const { data: point, dataUpdatedAt } = found;
  if (!point)
    return (
      <StaffPage title={text('networkChargePoints:chargePoint')} back={list}>
        <Loaded query={found} notFound={text('networkChargePoints:noSuchChargePoint')} />
      </StaffPage>
    );
  const [station] = point.stations;
  return (
    <StaffPage
      title={point.identity}
      subtitle={
        [station && `${station.number} · ${station.address}`, [point.vendor, point.model].filter(Boolean).join(' ')]
          .filter(Boolean)
          .join(' · ') || text('network:noStation')
      }
      back={list}
      actions={
        <RefreshButton
          onRefresh={() => void queryClient.invalidateQueries({ queryKey: chargePointKey(id) })}
          fetchedAt={dataUpdatedAt}
        />
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <LinkBadge isOnline={point.is_online} isNew={point.since === null} />
        {point.key_exposed_at !== null && <Badge tone="error">{text('networkChargePoints:keyExposed')}</Badge>}
        <Button size="s" to={`${list}/${id}/commissioning`}>
          {text('network:commissioning')}
        </Button>
        {station && maySeeReport && (
          <Button size="s" to={`/admin/network/stations/${station.number}/report`}>
            {text('networkChargePoints:report')}
          </Button>
        )}
      </div>
      <Connectors point={point} />
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[17rem_minmax(0,1fr)_22rem]">
        <div className="order-3 flex flex-col gap-3 lg:order-2 lg:col-start-2 xl:order-1 xl:col-start-1">
          <LinkCard point={point} />
          <RefusedCard point={point} />
        </div>
        <div className="order-2 min-w-0 lg:order-1 lg:row-span-2 xl:order-2 xl:row-span-1">
          <MessageCard id={id} />
        </div>
        <div className="order-1 lg:order-3 lg:col-start-2 xl:col-start-3">
          <CommandCard point={point} />
        </div>
      </div>
    </StaffPage>
  );
}
