import { useQuery } from '@tanstack/react-query';
import Gauge from 'lucide-react/icons/gauge';
import { useState } from 'react';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { RefreshButton } from '../../../../ui/form/refresh-button.tsx';
import { formatPower } from '../../../../ui/format/power.tsx';
import { List, ListItem } from '../../../../ui/layout/list.tsx';
import { useMay } from '../../parts/use-may.ts';
import { BarButton } from '../../shell/bar-button.tsx';
import { StaffPage } from '../../shell/staff-page.tsx';
import { siteQueries } from './queries.ts';
import { SitePopup } from './site-popup.tsx';

/** Sites whose connectors share a limit. */
export function Page() {
  const text = useText();
  const mayManage = useMay('manage-network');
  const [isAdding, setAdding] = useState(false);
  const found = useQuery(siteQueries.list());
  const { refetch, dataUpdatedAt } = found;
  return (
    <StaffPage
      title={text('admin:sites')}
      subtitle={text('networkSites:sitesText')}
      back="/admin/network"
      actions={
        <>
          <RefreshButton onRefresh={() => void refetch()} fetchedAt={dataUpdatedAt} />
          {mayManage && <BarButton label={text('networkSites:siteAddShort')} onPress={() => setAdding(true)} />}
        </>
      }
    >
      <Loaded query={found} rows={4} empty={text('networkSites:noSites')}>
        {(data) => (
          <List label={text('admin:sites')}>
            {data.map((site) => (
              <ListItem
                key={site.id}
                to={`/admin/network/sites/${site.id}`}
                icon={<Gauge size={22} />}
                title={site.name}
                subtitle={[
                  site.stations.join(', ') || text('network:noStation'),
                  text('network:connectorCount', { count: site.connectors }),
                  text('networkSites:carsCharging', { count: site.charging }),
                ].join(' · ')}
                trailing={
                  <span className="tabular text-note font-bold whitespace-nowrap">
                    {formatPower(site.power)} / {formatPower(site.limit_now, { rated: true })}
                  </span>
                }
              />
            ))}
          </List>
        )}
      </Loaded>
      {isAdding && <SitePopup site={null} onClose={() => setAdding(false)} />}
    </StaffPage>
  );
}
