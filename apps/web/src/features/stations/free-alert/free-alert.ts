import { addFreeAlert, freeAlertAt, removeFreeAlert } from '@fpay/contract/free-alerts';
import type { Connector } from '@fpay/contract/stations';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';

const refreshMs = 60_000;

const alertQuery = (number: string) =>
  queryOptions({
    queryKey: ['stations', 'alert', number],
    queryFn: ({ signal }) => call(freeAlertAt, { params: { number }, signal }),
    staleTime: 10_000,
    refetchInterval: refreshMs,
  });

/** The driver's alert at a station: who waits there, and how to ask or withdraw. */
export function useFreeAlert(number: string) {
  const queryClient = useQueryClient();
  const { data } = useQuery(alertQuery(number));
  const rules = {
    onSettled: () => queryClient.invalidateQueries(alertQuery(number)),
  };
  const ask = useMutation({
    mutationFn: ({ type, id }: { type: Connector['type']; id: number | null }) =>
      call(addFreeAlert, { params: { number }, body: { connector_type: type, connector: id } }),
    ...rules,
  });
  const withdraw = useAction((id: number) => call(removeFreeAlert, { params: { id: String(id) } }), rules);
  return { state: data ?? null, ask, withdraw };
}
