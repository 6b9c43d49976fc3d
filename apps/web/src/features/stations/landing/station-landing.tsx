import { connectorTypes } from '@fpay/contract/connectors';
import type { Connector, StationPage } from '@fpay/contract/stations';
import { useQuery } from '@tanstack/react-query';
import Zap from 'lucide-react/icons/zap';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../../api/errors.ts';
import { withTexts } from '../../../i18n/i18n.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { MainButton } from '../../../ui/form/main-button.tsx';
import { whenIdle } from '../../../ui/hooks/when-idle.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Dock } from '../../../ui/layout/dock.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { ConnectorCard } from '../connector-card.tsx';
import { isAvailable } from '../connector-state.ts';
import { useLiveConnectors } from '../live.ts';
import { hasNotes, type StationKind, stationQueries } from '../queries.ts';
import { StationHead } from '../station-head.tsx';
import { stepAfter, storedStep } from '../step.ts';

const LandingRare = lazy(async () => ({
  default: (await withTexts(['payment'], import('./landing-rare.tsx'))).LandingRare,
}));

interface StationLandingProps {
  kind: StationKind;
  number: string;
  isEntering: boolean;
  /** Continues as a guest; the value is the history state of the station's page. */
  onGuest: (step: unknown) => void;
  /** The form below the station. */
  signIn: ReactNode;
}

/**
 * The station that a visitor scanned, before any sign-in (the page around it waits for what is loaded later): its connectors with price and state, and the way to charge as a
 * guest. A visitor with an account finds the form below.
 */
export function StationLanding(props: StationLandingProps) {
  const { kind, number, signIn } = props;
  const { data: station, error, dataUpdatedAt } = useQuery(stationQueries.station(kind, number));
  const code = (error as Partial<ApiError> | null)?.code;
  // The numbers look alike, so a typed one may belong to a virtual station.
  const isUnknown = kind === 'real' && code === 'not_found';
  const virtual = useQuery({ ...stationQueries.station('virtual', number), enabled: isUnknown });
  if (station?.is_online) return <Landing {...props} station={station} loadedAt={dataUpdatedAt} />;
  if (virtual.data)
    return <Landing {...props} kind="virtual" station={virtual.data} loadedAt={virtual.dataUpdatedAt} />;
  const isClosed = code === 'closed_station';
  if (station || isClosed || (code === 'not_found' && !virtual.isLoading))
    return (
      <>
        {station ? <LandingRare station={station} /> : <LandingRare number={number} isClosed={isClosed} />}
        {/* A member of the group signs in, and who has an account may look around. */}
        {(station || isClosed) && <div className="px-4 pb-6">{signIn}</div>}
      </>
    );
  if (error && !virtual.isLoading) return <div className="px-4 pb-6">{signIn}</div>;
  return (
    <div aria-busy="true" data-testid="waiting" className="flex flex-col gap-3.5 px-4">
      <Skeleton className="h-8 w-28" />
      <Skeleton className="h-4 w-56" />
      <Skeleton className="h-29 rounded-card" />
      <Skeleton className="h-29 rounded-card" />
    </div>
  );
}

function Landing({
  kind,
  station,
  loadedAt,
  isEntering,
  onGuest,
  signIn,
}: StationLandingProps & { station: StationPage; loadedAt: number }) {
  const text = useText();
  const form = useRef<HTMLDivElement>(null);
  // The code of the form is loaded after the station, because a guest never needs it.
  const [showsForm, setShowsForm] = useState(false);
  useEffect(() => whenIdle(() => setShowsForm(true)), []);
  const { connectors } = useLiveConnectors({ kind, station, loadedAt }, false);
  const [pressedId, setPressedId] = useState<number | null>(null);
  const chosen = connectors.find(({ id }) => id === pressedId) ?? onlyReady(connectors);
  const connector = chosen && isAvailable(chosen) ? chosen : null;

  return (
    <>
      <div className="flex flex-1 flex-col gap-3.5 px-4 pt-2 pb-8">
        <StationHead station={station} />
        {(hasNotes(station) || !connectors.some(isAvailable)) && (
          <Suspense>
            <LandingRare station={{ ...station, connectors }} />
          </Suspense>
        )}
        <ConnectorList connectors={connectors} chosenId={connector?.id ?? null} onPress={setPressedId} />
        {showsForm && (
          <div ref={form} className="scroll-mt-4 border-t border-line pt-6">
            <h2 className="text-h2">{text('auth:haveAccountTitle')}</h2>
            {signIn}
          </div>
        )}
      </div>
      <Dock>
        {connector && (
          <p className="text-note font-bold">
            {connectorTypes[connector.type].name} · {text('station:number', { number: connector.api_address })}
          </p>
        )}
        <MainButton
          icon={<Zap aria-hidden="true" size={20} />}
          busy={isEntering}
          disabled={!connector}
          disabledLabel={text('auth:chooseConnector')}
          onPress={() => connector && onGuest(storedStep(stepAfter(connector, { isGuest: true })))}
        >
          {text('auth:chargeAsGuest')}
        </MainButton>
        <Button
          kind="text"
          size="s"
          className="text-accent-text!"
          onPress={() => {
            setShowsForm(true);
            setTimeout(() => form.current?.scrollIntoView());
          }}
        >
          {text('auth:signInAndPay')}
        </Button>
      </Dock>
    </>
  );
}

/** A cable that is plugged in is the visitor's own, unless there are several. */
function onlyReady(connectors: readonly Connector[]): Connector | null {
  const ready = connectors.filter(({ status }) => status === 'ready');
  return (ready.length === 1 && ready[0]) || null;
}

interface ConnectorListProps {
  connectors: readonly Connector[];
  chosenId: number | null;
  onPress: (id: number) => void;
}

function ConnectorList({ connectors, chosenId, onPress }: ConnectorListProps) {
  const text = useText();
  const [showsAll, setShowsAll] = useState(false);
  const available = connectors.filter(isAvailable);
  const listed = showsAll ? connectors : available;
  return (
    <>
      <p className="flex">
        <Badge tone={available.length > 0 ? 'free' : 'occupied'}>
          {text('auth:availableCount', { count: available.length })}
        </Badge>
      </p>
      <ul className="flex flex-col gap-2.5">
        {listed.map((connector, index) => (
          <li key={connector.id}>
            <ConnectorCard
              connector={connector}
              isStationOnline
              index={index}
              isSelected={connector.id === chosenId}
              onPress={() => onPress(connector.id)}
            />
          </li>
        ))}
      </ul>
      {available.length < connectors.length && !showsAll && (
        <Button kind="text" size="s" className="self-end text-accent-text!" onPress={() => setShowsAll(true)}>
          {text('auth:allConnectors', { number: connectors.length })}
        </Button>
      )}
    </>
  );
}
