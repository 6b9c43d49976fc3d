import { operationGroup } from '@fpay/contract/realtime';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connectRealtime } from '../../api/realtime.ts';
import { useOnline } from '../../ui/use-online.ts';
import { accountQueries, useUser } from '../account/queries.ts';
import { chargingQueries } from './queries.ts';
import { isOver } from './status-view.ts';

/** Messages say when to ask. Should they stop coming, a question now and then notices; a failed one is soon repeated. */
const askAnywayMs = 30_000;
const askAfterFailureMs = 5000;

/** The operation as it is now, followed as long as anything about it can change. */
export function useLiveOperation(id: number) {
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const user = useUser();
  const query = useQuery({
    ...chargingQueries.operation(id),
    refetchInterval: ({ state }) => {
      if (state.data && isOver(state.data.status)) return false;
      return state.error ? askAfterFailureMs : askAnywayMs;
    },
  });
  const status = query.data?.status;
  const isFollowed = status !== undefined && !isOver(status);

  useEffect(() => {
    if (!isFollowed) return;
    const connection = connectRealtime({ operation: id });
    const askAgain = () => void queryClient.invalidateQueries(chargingQueries.operation(id));
    connection.listen(operationGroup(id), askAgain, askAgain);
    return () => connection.stop();
  }, [id, isFollowed, queryClient]);

  // Whoever was led here because of this operation is free to go once it is over, and the rest of the money is back.
  const holdsUser = user?.active_operations.includes(id) === true;
  useEffect(() => {
    if (status && isOver(status) && holdsUser) void queryClient.invalidateQueries(accountQueries.user());
  }, [status, holdsUser, queryClient]);

  return { ...query, isLost: !isOnline || query.isError };
}
