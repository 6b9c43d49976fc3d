import type { Connector, StationPage } from '@fpay/contract/stations';
import Navigation from 'lucide-react/icons/navigation';
import { lazy, Suspense, useState } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { RefreshButton } from '../../ui/form/refresh-button.tsx';
import { Segmented } from '../../ui/form/segmented.tsx';
import { formatAge } from '../../ui/format/age.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { ConnectorCard } from './connector-card.tsx';
import { isAvailable } from './connector-state.ts';
import { PlugIn } from './plug-in.tsx';
import { PromoBanner } from './promo-banner.tsx';
import type { useSelection } from './selection.ts';
import { StationNotes } from './station-notes.tsx';
import { StepTitle } from './steps.tsx';

const FreeAlertBell = lazy(async () => ({ default: (await import('./free-alert-bell.tsx')).FreeAlertBell }));

interface ConnectorStepProps {
  station: StationPage;
  connectors: readonly Connector[];
  selection: ReturnType<typeof useSelection>;
  /** Unix ms of the latest states. */
  updatedAt: number;
  isLost: boolean;
  onRefresh: () => void;
  /** Continues with a free connector, because an adapter hides the plugged-in car. */
  onAdapter: (connector: Connector) => void;
}

export function ConnectorStep(props: ConnectorStepProps) {
  const { station, selection, isLost, onRefresh, onAdapter } = props;
  const text = useText();
  const language = useLanguage();
  const { connector, waitsForCable, offersAdapter, toggle, clear } = selection;
  return (
    <>
      <div className="flex flex-col gap-3.5 px-4">
        <header className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <StepTitle>{station.number}</StepTitle>
            <p className="text-note text-ink-2">{language === 'uk' ? station.address_uk : station.address}</p>
          </div>
          <IconButton
            label={text('station:route')}
            look="outlined"
            href={`https://www.google.com/maps/search/?api=1&query=${station.lat},${station.lon}`}
            icon={<Navigation aria-hidden="true" size={20} />}
          />
          <RefreshButton onRefresh={onRefresh} />
        </header>
        <p role="status" className="text-note text-occupied empty:hidden">
          {isLost && text('station:lost')}
        </p>
        {connector && waitsForCable ? (
          <ConnectorCard connector={connector} isStationOnline index={0} isSelected onPress={() => toggle(connector)} />
        ) : (
          <ConnectorChoice {...props} />
        )}
      </div>
      {connector && waitsForCable && (
        <PlugIn
          connector={connector}
          offersAdapter={offersAdapter}
          onAdapter={() => onAdapter(connector)}
          onOther={clear}
        />
      )}
    </>
  );
}

function ConnectorChoice({ station, connectors, selection, updatedAt }: ConnectorStepProps) {
  const text = useText();
  const [shown, setShown] = useState<'available' | 'all'>('available');
  const available = connectors.filter(isAvailable);
  const listed = shown === 'all' ? connectors : available;
  return (
    <>
      <StationNotes station={station} />
      <PromoBanner code={station.promo} />
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
              <ConnectorCard
                connector={connector}
                isStationOnline={station.is_online}
                index={index}
                isSelected={connector.id === selection.connector?.id}
                onPress={() => selection.toggle(connector)}
              />
              {(connector.status === 'charging' || connector.status === 'occupied') && (
                <Suspense>
                  <FreeAlertBell number={connector.station_number ?? station.number} connector={connector} />
                </Suspense>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <div className="flex flex-col items-center gap-2 px-2 py-8 text-center">
          <h2 className="text-h2 text-balance">{text('station:noneAvailable')}</h2>
          <p className="text-body text-ink-2 text-pretty">{text('station:noneAvailableText')}</p>
          {shown === 'available' && (
            <Button size="m" className="mt-3" onPress={() => setShown('all')}>
              {text('station:showAll')}
            </Button>
          )}
        </div>
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
