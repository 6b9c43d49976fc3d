import type { ConnectorStatus } from '@fpay/contract/connectors';
import { addressFor } from '@fpay/contract/languages';
import type { PartyData, PartyStation } from '@fpay/contract/party';
import ChevronRight from 'lucide-react/icons/chevron-right';
import MapPin from 'lucide-react/icons/map-pin';
import { useState } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Pressable } from '../../ui/form/pressable.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { presentText } from './figure-text.ts';
import { LeaveSheet } from './leave-sheet.tsx';
import { PartyHeader, type Refresh } from './party-header.tsx';

/** The stations of the party, as they are now; a press opens one. */
export function MemberView({ party, refresh }: { party: PartyData; refresh: Refresh }) {
  const text = useText();
  return (
    <div className="flex flex-col gap-3 px-4 pt-1 pb-8">
      <PartyHeader party={party} refresh={refresh} />
      <div className="flex items-center gap-3 rounded-card bg-surface p-4 shadow-card">
        <Avatar icon={party.owner.icon} size={44} />
        <div className="min-w-0 flex-1">
          <p className="text-small text-ink-2">{text('party:owner')}</p>
          <p className="text-body font-[650] wrap-anywhere">{party.owner.name}</p>
        </div>
        <Pressable
          onPress={() => void notify(text('party:ownerSeesText'))}
          className="min-h-11 shrink-0 rounded-control px-2 text-label text-free active:bg-surface-2"
        >
          {text('party:ownerSees')}
        </Pressable>
      </div>
      {party.station_list.length === 0 ? (
        <EmptyState
          level={2}
          drawing={<MapPin size={64} strokeWidth={1.5} />}
          title={text('party:noStations')}
          text={text('party:noStationsText')}
        />
      ) : (
        <ul aria-label={text('party:stations')} className="grid gap-3 lg:grid-cols-2">
          {party.station_list.map((station) => (
            <StationTile key={station.number} station={station} />
          ))}
        </ul>
      )}
      <Leave party={party} />
    </div>
  );
}

/** A connector that cannot be used or reached looks like one of an offline station. */
const tones = {
  free: 'bg-free-tint text-free',
  ready: 'bg-ready-tint text-ready',
  charging: 'bg-charging-tint text-charging',
  occupied: 'bg-occupied-tint text-occupied',
  oos: 'bg-offline-tint text-offline',
  unknown: 'bg-offline-tint text-offline',
} as const satisfies Record<ConnectorStatus, string>;

function StationTile({ station }: { station: PartyStation }) {
  const text = useText();
  const language = useLanguage();
  const { connectors, is_online, number } = station;
  const free = connectors.filter(({ status }) => status === 'free').length;
  const state = !is_online
    ? text('party:offline')
    : free > 0
      ? text('party:freeOf', { free, total: connectors.length })
      : text('party:noneFree');
  return (
    <li>
      <Pressable
        to={`/station/${number}`}
        className="flex w-full flex-col gap-3 rounded-card bg-surface p-4 text-left shadow-card active:bg-surface-2"
      >
        <span className="flex items-start justify-between gap-3">
          <span className="min-w-0">
            <span className="block text-h2">{number}</span>
            <span className="block text-note text-ink-2">{presentText(addressFor(station, language))}</span>
          </span>
          <ChevronRight aria-hidden="true" size={22} className="mt-1 shrink-0 text-ink-3" />
        </span>
        <span className="flex flex-wrap items-center gap-2">
          {connectors.map((connector, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the connectors of a station keep their places.
              key={index}
              className={classNames(
                'flex size-12 items-center justify-center rounded-control',
                tones[is_online ? connector.status : 'unknown'],
              )}
            >
              <ConnectorIcon type={connector.type} size={28} />
            </span>
          ))}
          <span
            className={classNames(
              'ml-auto text-label',
              !is_online ? 'text-ink-2' : free > 0 ? 'text-free' : 'text-charging',
            )}
          >
            {state}
          </span>
        </span>
      </Pressable>
    </li>
  );
}

/** Leads to the question with both sums. */
function Leave({ party }: { party: PartyData }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-card bg-surface p-4 shadow-card">
      {party.is_closed && <p className="min-w-48 flex-1 text-note text-ink-2">{text('party:leaveClosed')}</p>}
      <Button size="s" onPress={() => setOpen(true)}>
        {text('party:leave')}
      </Button>
      <LeaveSheet party={party} open={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}
