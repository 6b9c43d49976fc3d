import type { StationItem } from '@fpay/contract/admin/network/stations';
import { addressFor } from '@fpay/contract/languages';
import { useInfiniteQuery } from '@tanstack/react-query';
import FileUp from 'lucide-react/icons/file-up';
import Plus from 'lucide-react/icons/plus';
import Search from 'lucide-react/icons/search';
import Wrench from 'lucide-react/icons/wrench';
import { useState } from 'react';
import { Loaded } from '../../../../data/loaded.tsx';
import { useLanguage, useText } from '../../../../i18n/use-text.ts';
import { Link, useSearchParams } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { RefreshButton } from '../../../../ui/form/refresh-button.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { EmptyList } from '../../../../ui/layout/empty-list.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { useMay } from '../../parts/use-may.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { PrintPopup } from './print-popup.tsx';
import { networkStationQueries } from './queries.ts';

/** Every station of the network, the newest first. */
export function Page() {
  const text = useText();
  const mayManage = useMay('manage-network');
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get('q') ?? '');
  const isRetired = params.get('retired') === 'true';
  const q = useSettled(typed, 250).trim();
  const list = useInfiniteQuery(networkStationQueries.list(q, isRetired));
  const [isPrinting, setPrinting] = useState(false);
  const rows = list.data ?? [];
  return (
    <StaffPage
      title={text('network:stations')}
      back="/admin"
      actions={<RefreshButton onRefresh={() => void list.refetch()} fetchedAt={list.dataUpdatedAt} />}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-64 flex-1">
          <Field
            type="search"
            label={text('networkStations:find')}
            icon={<Search aria-hidden="true" size={20} />}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <div className="flex min-h-14 flex-1 items-center rounded-control bg-surface px-4 shadow-card *:flex-1 lg:flex-none">
          <Switch
            label={text('networkStations:retired')}
            checked={isRetired}
            onChange={(chosen) => setParams(chosen ? { retired: 'true' } : {}, { replace: true })}
          />
        </div>
        <Button className="flex-1 lg:flex-none" disabled={rows.length === 0} onPress={() => setPrinting(true)}>
          {text('networkStations:printCodes')}
        </Button>
        {mayManage && <ManageButtons />}
      </div>
      <Loaded query={list} rows={8}>
        {() => (
          <>
            <StationRows rows={rows} />
            <MoreButton list={list}>{text('network:more')}</MoreButton>
          </>
        )}
      </Loaded>
      {isPrinting && <PrintPopup stations={rows.map(({ number }) => number)} onClose={() => setPrinting(false)} />}
    </StaffPage>
  );
}

function ManageButtons() {
  const text = useText();
  return (
    <>
      <Button className="flex-1 lg:flex-none" to="/admin/network/import" icon={<FileUp aria-hidden="true" size={20} />}>
        {text('networkStations:exchange')}
      </Button>
      <Button
        className="flex-1 lg:flex-none"
        kind="main"
        to="/admin/network/stations/new"
        icon={<Plus aria-hidden="true" size={20} />}
      >
        {text('networkStations:newStation')}
      </Button>
    </>
  );
}

/** One line each where there is space, two on a phone. */
function StationRows({ rows }: { rows: readonly StationItem[] }) {
  const text = useText();
  const language = useLanguage();
  if (rows.length === 0) return <EmptyList>{text('networkStations:noStations')}</EmptyList>;
  return (
    <ul aria-label={text('network:stations')} className="overflow-hidden rounded-card bg-surface shadow-card">
      {rows.map((station) => (
        <li
          key={station.id}
          className="relative flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2 last:border-0 hover:bg-surface-2 lg:min-h-12"
        >
          <Link
            to={`/admin/network/stations/${station.number}`}
            data-row
            className="w-20 text-label font-bold -outline-offset-3 after:absolute after:inset-0"
          >
            {station.number}
          </Link>
          <span className="order-last w-full truncate text-note text-ink-2 lg:order-none lg:w-auto lg:flex-1">
            {addressFor(station, language)}
          </span>
          <span className="ml-auto flex flex-wrap items-center gap-2 lg:ml-0">
            {station.party && <Badge tone="promo">{station.party}</Badge>}
            {station.is_virtual && <Badge tone="ready">{text('networkStations:virtual')}</Badge>}
            {station.in_maintenance > 0 && (
              <Badge tone="occupied" icon={<Wrench aria-hidden="true" size={14} />}>
                {text('networkStations:atWork')}
              </Badge>
            )}
            <span className="text-small text-ink-2">
              {text('network:connectorCount', { count: station.connectors })}
            </span>
            <OnlineBadge isOnline={station.is_online} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export function OnlineBadge({ isOnline }: { isOnline: boolean }) {
  const text = useText();
  return isOnline ? (
    <Badge tone="free">{text('networkStations:online')}</Badge>
  ) : (
    <Badge tone="offline">{text('networkStations:offline')}</Badge>
  );
}
