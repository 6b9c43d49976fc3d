import type { ActiveOperation } from '@fpay/contract/charging';
import { connectorTypes } from '@fpay/contract/connectors';
import { useQuery } from '@tanstack/react-query';
import Plug from 'lucide-react/icons/plug';
import ScanLine from 'lucide-react/icons/scan-line';
import { Loaded } from '../../data/loaded.tsx';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Energy } from '../../ui/format/energy.tsx';
import { Money } from '../../ui/format/money.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { SkeletonList } from '../../ui/layout/skeleton.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';
import { isRegistered, useUser } from '../account/queries.ts';
import { chargingQueries } from './queries.ts';
import { isShownCharging, statusViews } from './status-view.ts';

/** Often enough for a list of several cars; the page of each is updated live. */
const pollIntervalMs = 15_000;

const wells = {
  ready: 'bg-ready-tint text-ready',
  charging: 'bg-charging-tint text-charging',
} as const;

export function Page() {
  const text = useText();
  const user = useUser();
  const found = useQuery({
    ...chargingQueries.active(),
    refetchInterval: pollIntervalMs,
  });
  return (
    <>
      <div className="px-4 pt-1">
        <PageTitle back={isRegistered(user) ? '/account' : '/map'}>{text('status:activeTitle')}</PageTitle>
      </div>
      <Loaded
        query={found}
        waiting={
          <div className="px-4">
            <SkeletonList rows={3} />
          </div>
        }
      >
        {(operations) =>
          operations.length === 0 ? (
            <NoCharges />
          ) : (
            <div className="px-4 pb-6">
              <List label={text('status:activeTitle')}>
                {operations.map((operation) => (
                  <ActiveCharge key={operation.id} operation={operation} />
                ))}
              </List>
            </div>
          )
        }
      </Loaded>
    </>
  );
}

function ActiveCharge({ operation }: { operation: ActiveOperation }) {
  const text = useText();
  const { tone, title } = statusViews[operation.status];
  return (
    <ListItem
      to={`/status/${operation.id}`}
      icon={<ConnectorIcon type={operation.connectorType} size={26} />}
      wellClassName={tone === 'charging' ? wells.charging : wells.ready}
      title={
        <>
          {operation.station_number} · {connectorTypes[operation.connectorType].name}
        </>
      }
      subtitle={
        <>
          {text('status:connectorNumber', { number: operation.connectorAddress })} · {text(title)}
        </>
      }
      trailing={
        <span className="text-right">
          {isShownCharging(operation.status) ? (
            <>
              <Energy energy={operation.energy} unitClassName="text-small text-ink-2" />
              <Money amount={operation.total} className="block text-small text-ink-2" />
            </>
          ) : (
            <Money amount={operation.deposit} rounded />
          )}
        </span>
      }
    />
  );
}

function NoCharges() {
  const text = useText();
  return (
    <EmptyState
      level={2}
      drawing={<Plug size={64} strokeWidth={1.5} />}
      title={text('status:activeEmpty')}
      text={text('status:activeEmptyText')}
      actions={
        <>
          <MainButton to="/qr" icon={<ScanLine aria-hidden="true" size={20} />}>
            {text('status:scan')}
          </MainButton>
          <Button to="/map">{text('generic:toMap')}</Button>
        </>
      }
    />
  );
}
