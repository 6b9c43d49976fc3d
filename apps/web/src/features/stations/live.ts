import { stationGroup } from '@fpay/contract/realtime';
import type { StationPage } from '@fpay/contract/stations';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connectRealtime, type RealtimeConnection } from '../../api/realtime.ts';
import { useOnline } from '../../ui/hooks/use-online.ts';
import { whenIdle } from '../../ui/hooks/when-idle.ts';
import { withStates } from './connector-state.ts';
import { type StationKind, stationQueries, statusRefreshMs } from './queries.ts';

interface ShownStation {
  kind: StationKind;
  station: StationPage;
  /** Unix ms. */
  loadedAt: number;
}

/**
 * The connectors with their present states. The server reports a change within milliseconds; the page also polls, in case
 * a message is lost. A visitor of the sign-in page has no connection and only polls.
 */
export function useLiveConnectors({ kind, station, loadedAt }: ShownStation, isSignedIn: boolean) {
  const isOnline = useOnline();
  const queryClient = useQueryClient();
  const states = useQuery({
    ...stationQueries.connectors(kind, station.number),
    // The page's own data has them.
    initialData: station.connectors,
    initialDataUpdatedAt: loadedAt,
    enabled: isOnline,
    // The library pauses on a hidden page and refetches at once on return.
    refetchInterval: statusRefreshMs,
  });
  const { number } = station;
  const homes = [...new Set(station.connectors.map(({ charging_station_id }) => charging_station_id))].join();

  useEffect(() => {
    if (!isSignedIn || homes === '') return;
    const refetch = () => void queryClient.invalidateQueries(stationQueries.connectors(kind, number));
    let connection: RealtimeConnection | null = null;
    // The first touch is the choice of a connector, and only a driver who has chosen waits for a change.
    const cancel = whenIdle(() => {
      connection = connectRealtime({ station: number });
      for (const home of homes.split(',')) connection.listen(stationGroup(Number(home)), refetch, refetch);
    });
    return () => {
      cancel();
      connection?.stop();
    };
  }, [isSignedIn, kind, number, homes, queryClient]);

  return {
    // A failure changes nothing: the list stays and shows its age.
    connectors: withStates(station.connectors, states.data),
    updatedAt: states.dataUpdatedAt,
    isLost: !isOnline || states.isError,
    refetch: () => void states.refetch(),
  };
}
