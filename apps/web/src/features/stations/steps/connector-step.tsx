import type { Connector, StationPage } from '@fpay/contract/stations';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { withTexts } from '../../../i18n/i18n.ts';
import { useText } from '../../../i18n/use-text.ts';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { formatAge } from '../../../ui/format/age.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { ConnectorCard } from '../connector-card.tsx';
import { isAvailable } from '../connector-state.ts';
import { hasNotes } from '../queries.ts';
import { StationHead } from '../station-head.tsx';

const StationNotes = lazy(async () => ({
  default: (await withTexts(['payment'], import('../landing/station-notes.tsx'))).StationNotes,
}));
const NoneAvailable = lazy(async () => ({
  default: (await withTexts(['payment'], import('../landing/station-help.tsx'))).NoneAvailable,
}));
const PromoBanner = lazy(async () => ({ default: (await import('../landing/promo-banner.tsx')).PromoBanner }));

const FreeAlertBell = lazy(async () => ({
  default: (await withTexts(['payment'], import('../free-alert/free-alert-bell.tsx'))).FreeAlertBell,
}));

interface ConnectorStepProps {
  station: StationPage;
  connectors: readonly Connector[];
  /** The connector that was just pressed. */
  pressed: Connector | null;
  onPress: (connector: Connector) => void;
  /** The connector that waits for this driver's payment, and what is shown of it. */
  own: { connector: number; card: ReactNode } | null;
  /** Unix ms of the latest states. */
  updatedAt: number;
  isLost: boolean;
  onRefresh: () => void;
}

export function ConnectorStep(props: ConnectorStepProps) {
  const { station, isLost, onRefresh } = props;
  const text = useText();
  return (
    <div className="flex flex-col gap-3.5 px-4">
      <StationHead station={station}>
        <RefreshButton onRefresh={onRefresh} />
      </StationHead>
      <p role="status" className="text-note text-occupied empty:hidden">
        {isLost && text('station:lost')}
      </p>
      <ConnectorChoice {...props} />
    </div>
  );
}

function ConnectorChoice({ station, connectors, pressed, onPress, own, updatedAt }: ConnectorStepProps) {
  const text = useText();
  const [shown, setShown] = useState<'available' | 'all'>('available');
  const available = connectors.filter((connector) => isAvailable(connector) || connector.id === own?.connector);
  const listed = shown === 'all' ? connectors : available;
  return (
    <>
      {hasNotes(station) && (
        <Suspense fallback={<Skeleton className="h-18 rounded-card" />}>
          <StationNotes station={station} />
        </Suspense>
      )}
      {station.promo !== null && (
        <Suspense fallback={<Skeleton className="h-18 rounded-card" />}>
          <PromoBanner code={station.promo} reward={station.reward} />
        </Suspense>
      )}
      <Segmented
        legend={text('station:filter')}
        value={shown}
        onChange={setShown}
        segments={[
          { value: 'available', label: text('station:available', { number: available.length }) },
          { value: 'all', label: text('station:all', { number: connectors.length }) },
        ]}
      />
      {listed.length > 0 ? (
        <ul className="flex flex-col gap-2.5">
          {listed.map((connector, index) => (
            <li key={connector.id}>
              {connector.id === own?.connector ? (
                own.card
              ) : (
                <>
                  <ConnectorCard
                    connector={connector}
                    isStationOnline={station.is_online}
                    index={index}
                    isSelected={connector.id === pressed?.id}
                    onPress={() => onPress(connector)}
                  />
                  {(connector.status === 'charging' || connector.status === 'occupied') && (
                    <Suspense>
                      <FreeAlertBell number={connector.station_number ?? station.number} connector={connector} />
                    </Suspense>
                  )}
                </>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <Suspense>
          <NoneAvailable number={station.number} connectors={connectors} onShowAll={() => setShown('all')} />
        </Suspense>
      )}
      <Updated at={updatedAt} />
    </>
  );
}

function Updated({ at }: { at: number }) {
  const text = useText();
  const now = useNow(1000);
  return (
    <p className="tabular pb-6 text-center text-small text-ink-2">
      {text('station:updated', { age: formatAge(now - at) })}
    </p>
  );
}
