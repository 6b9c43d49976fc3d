import type { SiteView } from '@fpay/contract/admin/network/sites';
import { watts } from '@fpay/contract/money';
import { useQuery } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import { useState } from 'react';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { useParams } from '../../../../router/index.ts';
import { formatPower } from '../../../../ui/format/power.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { Figure } from '../../../../ui/layout/figure.tsx';
import { useMay } from '../../parts/use-may.ts';
import { BarButton } from '../../shell/bar-button.tsx';
import { StaffPage } from '../../shell/staff-page.tsx';
import { PowerBar } from './power-bar.tsx';
import { siteQueries } from './queries.ts';
import { SitePopup } from './site-popup.tsx';
import { SiteQueue } from './site-queue.tsx';
import { SiteRows } from './site-rows.tsx';
import { siteSettingsOf } from './site-settings.ts';
import { SiteStops } from './site-stops.tsx';

const list = '/admin/network/sites';

/** How the power of one site is divided now. */
export function Page() {
  const text = useText();
  const id = Number(useParams().site);
  const mayManage = useMay('manage-network');
  const [isEdited, setEdited] = useState(false);
  const found = useQuery(siteQueries.view(id));
  const { data: site } = found;
  if (!site)
    return (
      <StaffPage title={text('admin:sites')} back={list}>
        <Loaded query={found} notFound={text('networkSites:noSuchSite')} />
      </StaffPage>
    );
  const kept = site.rows.flatMap(({ fallback }) => fallback ?? []);
  return (
    <StaffPage
      title={site.name}
      subtitle={[
        text('networkSites:sharedLimit'),
        text('network:connectorCount', { count: site.connectors }),
        site.stations.join(', '),
      ].join(' · ')}
      back={list}
      actions={
        mayManage && (
          <BarButton kind="secondary" Icon={Pencil} label={text('network:change')} onPress={() => setEdited(true)} />
        )
      }
    >
      <SiteFigures site={site} />
      <Card>
        <h2 className="mb-2 text-label">{text('networkSites:dividedNow')}</h2>
        <PowerBar site={site} />
        <p className="mt-3 text-small text-ink-2">
          {text('networkSites:siteCounted', {
            counted: formatPower(site.counted, { rated: true }),
            limit: formatPower(site.limit_now, { rated: true }),
          })}
        </p>
        {site.over_since !== null && <p className="mt-1 text-small text-error">{text('networkSites:siteOverStop')}</p>}
        <p className="mt-1 text-small text-ink-2">
          {kept.length > 0
            ? text('networkSites:fallbackKept', {
                count: kept.length,
                all: site.connectors,
                power: formatPower(watts(Math.max(...kept))),
              })
            : text('networkSites:fallbackNone')}
        </p>
      </Card>
      <SiteRows rows={site.rows} />
      {(site.has_queue || site.queue.length > 0) && <SiteQueue queue={site.queue} />}
      <SiteStops stops={site.stops} />
      {isEdited && <SitePopup site={{ id, settings: siteSettingsOf(site) }} onClose={() => setEdited(false)} />}
    </StaffPage>
  );
}

function SiteFigures({ site }: { site: SiteView }) {
  const text = useText();
  const isOver = site.power > site.limit_now;
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        label={text('networkSites:siteLimitNow')}
        note={[
          text('networkSites:siteReserveOf', { power: formatPower(site.reserve) }),
          site.hours &&
            text('networkSites:siteHoursOf', {
              from: site.hours.from,
              to: site.hours.to,
              power: formatPower(site.hours.limit, { rated: true }),
              rest: formatPower(site.limit, { rated: true }),
            }),
        ]
          .filter(Boolean)
          .join(' · ')}
      >
        {formatPower(site.limit_now, { rated: true })}
      </Figure>
      <Figure
        label={text('networkSites:now')}
        isBad={isOver}
        note={text(isOver ? 'networkSites:overLimit' : 'networkSites:withinLimit')}
      >
        {formatPower(site.power)}
      </Figure>
      <Figure label={text('networkSites:carsNow')}>{site.charging}</Figure>
      <Figure label={text('networkSites:subtracted')} note={text('networkSites:subtractedNote')}>
        {formatPower(site.subtracted, { rated: true })}
      </Figure>
    </dl>
  );
}
