import { removeFreeAlert } from '@fpay/contract/free-alerts';
import { stationGroup } from '@fpay/contract/realtime';
import { joinSiteQueue, siteQueueAt } from '@fpay/contract/site-queue';
import type { Connector } from '@fpay/contract/stations';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { connectRealtime } from '../../../api/realtime.ts';
import { useAction } from '../../../data/action.ts';
import { useOnChange } from '../../../ui/hooks/use-on-change.ts';

/** The place of a driver whom no message reaches is kept while the page asks; estimates change with the charges. */
const refreshMs = 10_000;

const queueQuery = (number: string, connector: number) =>
  queryOptions({
    queryKey: ['stations', 'queue', number, connector],
    queryFn: ({ signal }) => call(siteQueueAt, { params: { number }, query: { connector: String(connector) }, signal }),
    staleTime: 0,
    refetchInterval: refreshMs,
    // A page in the background keeps the place, too.
    refetchIntervalInBackground: true,
  });

/** The queue of the site of a connector: who waits there, and how to join or leave it. */
export function useSiteQueue(number: string, { id, charging_station_id: home }: Connector) {
  const queryClient = useQueryClient();
  const query = queueQuery(number, id);
  const { data } = useQuery(query);
  const isWaiting = data?.place != null;
  const [hadPlace, setHadPlace] = useState(false);
  if (isWaiting && !hadPlace) setHadPlace(true);
  // The query is the same for the same station and connector.
  useOnChange([isWaiting, number, home, id, queryClient], () => {
    if (!isWaiting) return;
    const refetch = () => void queryClient.invalidateQueries(query);
    const connection = connectRealtime({ station: number });
    connection.listen(stationGroup(home), refetch, refetch);
    return () => connection.stop();
  });
  const rules = {
    onSettled: () => queryClient.invalidateQueries(query),
  };
  const join = useAction(() => call(joinSiteQueue, { params: { number }, body: { connector: id } }), rules);
  const leave = useMutation({
    mutationFn: (place: number) => call(removeFreeAlert, { params: { id: String(place) } }),
    ...rules,
    onSuccess: () => setHadPlace(false),
  });
  return {
    state: data ?? null,
    join,
    leave,
    /** There was a place, and it has ended by itself. */
    isOver: hadPlace && !isWaiting && !leave.isPending,
    refetch: () => void queryClient.invalidateQueries(query),
  };
}
