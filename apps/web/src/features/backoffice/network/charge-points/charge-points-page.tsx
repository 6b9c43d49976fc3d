import type {
  ChargePointCredentials,
  ChargePointItem,
  chargePointList,
} from '@fpay/contract/admin/network/charge-points';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { useInfiniteQuery } from '@tanstack/react-query';
import Search from 'lucide-react/icons/search';
import { useState } from 'react';
import { Loaded } from '../../../../data/loaded.tsx';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { useSearchParams } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { RefreshButton } from '../../../../ui/form/refresh-button.tsx';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { EmptyList } from '../../../../ui/layout/empty-list.tsx';
import { List, ListItem } from '../../../../ui/layout/list.tsx';
import { ChoiceChips } from '../../parts/choice-chips.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { useMay } from '../../parts/use-may.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { BarButton } from '../../shell/bar-button.tsx';
import { StaffPage } from '../../shell/staff-page.tsx';
import { CredentialsPopup } from './credentials-popup.tsx';
import { LinkBadge } from './link-badge.tsx';
import { type ChargePointState, chargePointQueries } from './queries.ts';
import { RegisterPopup } from './register-popup.tsx';

const states = ['all', 'online', 'offline', 'faulted', 'exposed'] as const satisfies readonly ChargePointState[];
const stateTexts = {
  all: 'networkChargePoints:stateAll',
  online: 'networkChargePoints:stateOnline',
  offline: 'networkChargePoints:stateOffline',
  faulted: 'networkChargePoints:stateFaulted',
  exposed: 'networkChargePoints:stateExposed',
} as const satisfies Record<ChargePointState, TextKey>;
type PointsPage = ReplyOf<typeof chargePointList>;
/** While a name is typed, each letter would be a request. */
const typingMs = 300;

/** Charge points by identity, and devices that try to connect and are not registered. */
export function Page() {
  const text = useText();
  const [params, setParams] = useSearchParams();
  const mayManage = useMay('manage-network');
  const state = states.find((one) => one === params.get('state')) ?? 'all';
  const [typed, setTyped] = useState('');
  const list = useInfiniteQuery(chargePointQueries.list(state, useSettled(typed.trim(), typingMs)));
  const first = list.data?.pages[0];
  const registering = useRegistering(() => void list.refetch());
  return (
    <StaffPage
      title={text('admin:chargePoints')}
      back="/admin/network"
      actions={
        <>
          <RefreshButton onRefresh={() => void list.refetch()} fetchedAt={list.dataUpdatedAt} />
          {mayManage && (
            <BarButton label={text('networkChargePoints:register')} onPress={() => registering.begin('')} />
          )}
        </>
      }
    >
      <div className="grid gap-3 lg:grid-cols-[minmax(0,24rem)_1fr] lg:items-end">
        <Field
          label={text('networkChargePoints:findChargePoint')}
          icon={<Search aria-hidden="true" size={20} />}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <StateChips
          state={state}
          counts={first?.counts ?? null}
          onState={(chosen) => setParams(chosen === 'all' ? {} : { state: chosen }, { replace: true })}
        />
      </div>
      {first && first.unknown.length > 0 && (
        <UnknownDevices devices={first.unknown} onRegister={mayManage ? registering.begin : null} />
      )}
      <Loaded query={list} rows={8}>
        {(data) => (
          <>
            <Rows rows={data.pages.flatMap((page) => page.charge_points)} />
            <MoreButton list={list}>{text('networkChargePoints:showMore')}</MoreButton>
          </>
        )}
      </Loaded>
      {registering.popup}
    </StaffPage>
  );
}

/** Registers a charge point and shows its credentials once. */
function useRegistering(onDone: () => void) {
  const [asked, setAsked] = useState<string | null>(null);
  const [added, setAdded] = useState<ChargePointCredentials | null>(null);
  return {
    /** With the identity that a device has used, or an empty one. */
    begin: setAsked,
    popup: (
      <>
        {asked !== null && (
          <RegisterPopup
            identity={asked}
            onClose={() => setAsked(null)}
            onDone={(credentials) => {
              setAsked(null);
              setAdded(credentials);
              onDone();
            }}
          />
        )}
        {added && <CredentialsPopup credentials={added} onClose={() => setAdded(null)} />}
      </>
    ),
  };
}

interface StateChipsProps {
  state: ChargePointState;
  /** Null until they are loaded. */
  counts: PointsPage['counts'] | null;
  onState: (state: ChargePointState) => void;
}

/** States of the connection with the number of charge points in each; exposed keys only when there are any. */
function StateChips({ state, counts, onState }: StateChipsProps) {
  const text = useText();
  const shown = states.filter((value) => value !== 'exposed' || state === 'exposed' || (counts?.exposed ?? 0) > 0);
  return (
    <ChoiceChips
      legend={text('networkChargePoints:connection')}
      value={state}
      onChange={onState}
      choices={shown.map((value) => ({
        value,
        label: counts ? `${text(stateTexts[value])} ${counts[value]}` : text(stateTexts[value]),
      }))}
    />
  );
}

interface UnknownDevicesProps {
  devices: PointsPage['unknown'];
  /** Null without the permission. */
  onRegister: ((identity: string) => void) | null;
}

/** Devices that try to connect and are not registered. */
function UnknownDevices({ devices, onRegister }: UnknownDevicesProps) {
  const text = useText();
  return (
    <Card>
      <h2 className="text-label">{text('networkChargePoints:unknownDevices')}</h2>
      <p className="mb-2 text-small text-ink-2">{text('networkChargePoints:unknownDevicesText')}</p>
      <ul className="divide-y divide-line">
        {devices.map(({ identity, address, times, last_at }) => (
          <li key={`${identity} ${address}`} className="flex min-h-12 flex-wrap items-center gap-x-3 py-1 text-note">
            <span className="font-bold break-all">{identity}</span>
            <span className="min-w-0 flex-1 text-small text-ink-2">
              {text('networkChargePoints:attempts', { count: times })} · {address} · <DateTime instant={last_at} />
            </span>
            {onRegister && (
              <Button size="s" onPress={() => onRegister(identity)}>
                {text('networkChargePoints:register')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Rows({ rows }: { rows: readonly ChargePointItem[] }) {
  const text = useText();
  if (rows.length === 0) return <EmptyList>{text('networkChargePoints:noChargePoints')}</EmptyList>;
  return (
    <List label={text('admin:chargePoints')}>
      {rows.map((point) => (
        <ListItem
          key={point.id}
          to={`/admin/network/charge-points/${point.id}`}
          title={<span className="break-all">{point.identity}</span>}
          subtitle={
            <>
              {[
                point.stations.join(', ') || text('network:noStation'),
                [point.vendor, point.model].filter(Boolean).join(' '),
                text('network:connectorCount', { count: point.connectors }),
              ]
                .filter(Boolean)
                .join(' · ')}
              {/* On a phone the badge leaves no room for more; the page of the device has it. */}
              <span className="hidden sm:inline">
                {point.firmware_version && ` · ${point.firmware_version}`}
                {point.since && (
                  <>
                    {' · '}
                    <DateTime instant={point.since} />
                  </>
                )}
              </span>
            </>
          }
          trailing={
            <span className="flex flex-col items-end gap-1 sm:flex-row">
              {point.is_key_exposed && <Badge tone="error">{text('networkChargePoints:keyExposed')}</Badge>}
              {point.faulted > 0 && (
                <Badge tone="error">{text('networkChargePoints:faulted', { count: point.faulted })}</Badge>
              )}
              <LinkBadge isOnline={point.is_online} isNew={point.since === null} />
            </span>
          }
        />
      ))}
    </List>
  );
}
