import { type UserNow, userNow } from '@fpay/contract/admin/user-now';
import { operationGroup } from '@fpay/contract/realtime';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../../../api/call.ts';
import { connectRealtime } from '../../../../api/realtime.ts';
import { operationKey } from '../../operation/queries.ts';
import { pollMs } from '../../queries.ts';
import { userKey } from '../queries.ts';

/** A message that was just sent is settled within seconds. */
const messagePollMs = 2_000;
const isOnItsWay = ({ messages }: UserNow) => messages.some(({ state }) => state === 'queued');

export const userNowQueries = {
  now: (id: number) =>
    queryOptions({
      queryKey: [...userKey(id), 'now'],
      queryFn: ({ signal }) => call(userNow, { params: { id: String(id) }, signal }),
      staleTime: 0,
      // Messages of the server say when the charge changes, and not when an SMS or the balance does.
      refetchInterval: ({ state: { data } }) => (data && isOnItsWay(data) ? messagePollMs : pollMs),
    }),
};

/** What is shown of the charge is read again when the server says that it changed. */
export function useChargeMessages(user: number, charge: number | null): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (charge === null) return;
    const connection = connectRealtime({ operation: charge });
    const refetch = () => {
      for (const queryKey of [userKey(user), operationKey(charge)]) void queryClient.invalidateQueries({ queryKey });
    };
    connection.listen(operationGroup(charge), refetch, refetch);
    return () => connection.stop();
  }, [user, charge, queryClient]);
}
