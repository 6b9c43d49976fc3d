import { operationGroup } from '@fpay/contract/realtime';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connectRealtime } from '../../api/realtime.ts';
import { useOnline } from '../../ui/hooks/use-online.ts';
import { accountQueries, useUser } from '../account/queries.ts';
import { chargingQueries } from './queries.ts';
import { isOperationOver } from './status-view.ts';

/** Messages trigger a request. In case they are lost, the page also polls; a failed poll is repeated soon. */
const pollIntervalMs = 30_000;
const retryIntervalMs = 5000;

/** The present operation, updated as long as it can change. */
export function useLiveOperation(id: number) {
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const user = useUser();
  const query = useQuery({
    ...chargingQueries.operation(id),
    refetchInterval: ({ state }) => {
      if (state.data && isOperationOver(state.data.status)) return false;
      return state.error ? retryIntervalMs : pollIntervalMs;
    },
  });
  const status = query.data?.status;
  const isFollowed = status !== undefined && !isOperationOver(status);

  useEffect(() => {
    if (!isFollowed) return;
    const connection = connectRealtime({ operation: id });
    const refetch = () => void queryClient.invalidateQueries(chargingQueries.operation(id));
    connection.listen(operationGroup(id), refetch, refetch);
    return () => connection.stop();
  }, [id, isFollowed, queryClient]);

  // A user who was redirected here because of this operation may leave once it is over and the rest of the money is
  // returned.
  const holdsUser = user?.active_operations.includes(id) === true;
  useEffect(() => {
    if (status && isOperationOver(status) && holdsUser) void queryClient.invalidateQueries(accountQueries.user());
  }, [status, holdsUser, queryClient]);

  return { ...query, isLost: !isOnline || query.isError };
}
