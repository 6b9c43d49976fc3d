import { useQuery } from '@tanstack/react-query';
import MapIcon from 'lucide-react/icons/map';
import PowerOff from 'lucide-react/icons/power-off';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useEffect } from 'react';
import { NetworkError } from '../../api/errors.ts';
import { useText } from '../../i18n/use-text.ts';
import { Navigate, useNavigate, useParams, useSearchParams } from '../../router/index.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { notify } from '../../ui/popups.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { rememberStation } from './last-station.ts';
import { mayPass, type StationKind, stationQueries } from './queries.ts';
import { refIdOf } from './ref-id.ts';
import { StationFlow } from './station-flow.tsx';
import { Steps } from './steps.tsx';

export function Page() {
  return <StationPage kind="real" />;
}

/** From a station's number to its connectors, or to where the driver is better off. */
export function StationPage({ kind }: { kind: StationKind }) {
  const { station: number = '' } = useParams();
  const [search] = useSearchParams();
  const { data: station, error, dataUpdatedAt, isFetching, refetch } = useQuery(stationQueries.station(kind, number));

  useEffect(() => rememberStation(kind, number), [kind, number]);
  // Kept from the first look on: by the time of payment the address may have changed.
  useEffect(() => void refIdOf(search), [search]);

  if (station && !station.is_online) return <OfflineStation />;
  // A number of its own, so that another station begins anew.
  if (station) return <StationFlow key={number} kind={kind} station={station} loadedAt={dataUpdatedAt} />;
  if (error instanceof NetworkError) return <NoConnection isTrying={isFetching} onTry={refetch} />;
  if (error && mayPass(error)) return <TryLater />;
  if (error) return <Navigate to="/404" replace />;
  return <Waiting />;
}

function OfflineStation() {
  const text = useText();
  return (
    <EmptyState
      drawing={<PowerOff size={64} strokeWidth={1.5} />}
      title={text('station:offlineTitle')}
      text={text('station:offlineText')}
      actions={
        <MainButton to="/map" icon={<MapIcon aria-hidden="true" size={20} />}>
          {text('generic:toMap')}
        </MainButton>
      }
    />
  );
}

function NoConnection({ isTrying, onTry }: { isTrying: boolean; onTry: () => void }) {
  const text = useText();
  return (
    <EmptyState
      drawing={<WifiOff size={64} strokeWidth={1.5} />}
      tone="occupied"
      title={text('generic:noConnection')}
      text={text('generic:noConnectionText')}
      actions={
        <MainButton busy={isTrying} onPress={onTry}>
          {text('generic:tryAgain')}
        </MainButton>
      }
    />
  );
}

/** Prices could not be had three times over: says so and leads to the map. */
function TryLater() {
  const text = useText();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, in the language of that moment.
  useEffect(() => {
    void notify(text('generic:tryLater'));
    void navigate('/map', { replace: true });
  }, []);
  return <Waiting />;
}

function Waiting() {
  return (
    <div aria-busy="true" data-testid="waiting">
      <Steps current={1} />
      <div className="flex flex-col gap-3.5 px-4">
        <div className="space-y-2">
          <Skeleton className="h-8 w-28" />
          <Skeleton className="h-4 w-56" />
        </div>
        <Skeleton className="h-12 rounded-control" />
        <Skeleton className="h-29 rounded-card" />
        <Skeleton className="h-29 rounded-card" />
        <Skeleton className="h-29 rounded-card" />
      </div>
    </div>
  );
}
