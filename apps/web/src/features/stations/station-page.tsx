import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { backFromBank } from '../../api/back-from-bank.ts';
import { ApiError, NetworkError } from '../../api/errors.ts';
import { withTexts } from '../../i18n/i18n.ts';
import { useText } from '../../i18n/use-text.ts';
import { Navigate, useNavigate, useParams, useSearchParams } from '../../router/index.ts';
import { useOnce } from '../../ui/hooks/use-when.ts';
import { LoadFailure } from '../../ui/layout/load-failure.tsx';
import { Skeleton } from '../../ui/layout/skeleton.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { rememberStation } from './last-station.ts';
import { refIdOf } from './pay/ref-id.ts';
import { isTransient, type StationKind, stationQueries } from './queries.ts';
import { StationFlow } from './station-flow.tsx';
import { StepIndicator } from './steps/steps.tsx';

const OfflineStation = lazy(async () => ({
  default: (await withTexts(['payment'], import('./landing/offline-station.tsx'))).OfflineStation,
}));

const TopUpNote = lazy(async () => ({
  default: (await withTexts(['payment'], import('./steps/top-up-note.tsx'))).TopUpNote,
}));

export function Page() {
  return <StationScreen kind="real" />;
}

/** Leads from a station's number to its connectors, or redirects. */
export function StationScreen({ kind }: { kind: StationKind }) {
  const { station: number = '' } = useParams();
  const [search] = useSearchParams();
  const { data: station, error, dataUpdatedAt, isFetching, refetch } = useQuery(stationQueries.station(kind, number));
  // The numbers look alike, so a typed one may belong to a virtual station.
  const isUnknown = kind === 'real' && error instanceof ApiError && error.status === 404;
  const virtual = useQuery({ ...stationQueries.station('virtual', number), enabled: isUnknown });
  const [isBackFromBank] = useState(search.has(backFromBank));

  useEffect(() => rememberStation(kind, number), [kind, number]);
  // Stored at the first visit, because by the time of payment the address may have changed.
  useEffect(() => void refIdOf(search), [search]);

  // One address for a station, however its number was typed.
  if (station && station.number !== number)
    return <Navigate to={`/station/${kind === 'virtual' ? 'v/' : ''}${station.number}?${search}`} replace />;
  if (station && !station.is_online)
    return (
      <Suspense>
        <OfflineStation number={number} />
      </Suspense>
    );
  if (station)
    return (
      <>
        {isBackFromBank && (
          <Suspense>
            <TopUpNote />
          </Suspense>
        )}
        {/* The number is the key, so that another station starts over. */}
        <StationFlow
          key={number}
          kind={kind}
          station={station}
          loadedAt={dataUpdatedAt}
          isBackFromBank={isBackFromBank}
        />
      </>
    );
  if (isUnknown && virtual.data) return <Navigate to={`/station/v/${number}?${search}`} replace />;
  if (isUnknown && !virtual.isError) return <Waiting />;
  if (error instanceof NetworkError)
    return <LoadFailure isOffline isTrying={isFetching} onTry={() => void refetch()} />;
  if (error && isTransient(error)) return <TryLater />;
  if (error) {
    const isClosed = error instanceof ApiError && error.code === 'closed_station';
    return <Navigate to="/404" replace state={{ station: number.toUpperCase(), isClosed }} />;
  }
  return <Waiting />;
}

/** Prices could not be loaded three times; shows a message and redirects to the map. */
function TryLater() {
  const text = useText();
  const navigate = useNavigate();
  // Shown once, in the language of that moment.
  useOnce(() => {
    void notify(text('generic:tryLater'));
    void navigate('/map', { replace: true });
  });
  return <Waiting />;
}

function Waiting() {
  return (
    <div aria-busy="true" data-testid="waiting">
      <StepIndicator current={1} />
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
