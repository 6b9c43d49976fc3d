import { userGroup } from '@fpay/contract/realtime';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { connectRealtime, type RealtimeConnection } from '../api/realtime.ts';
import { accountQueries } from '../features/account/queries.ts';

/** While somebody is signed in, whatever happens to their account elsewhere shows here. Messages only say: ask again. */
export function listenForUser(queryClient: QueryClient): () => void {
  let listening: { userId: number; connection: RealtimeConnection } | null = null;

  function follow(userId: number | null): void {
    if (userId === (listening?.userId ?? null)) return;
    listening?.connection.stop();
    listening = null;
    if (userId === null) return;
    const connection = connectRealtime({});
    connection.listen(userGroup(userId), () => queryClient.invalidateQueries(accountQueries.user()));
    listening = { userId, connection };
  }

  const observer = new QueryObserver(queryClient, { ...accountQueries.user(), enabled: false });
  follow(observer.getCurrentResult().data?.id ?? null);
  const unsubscribe = observer.subscribe(({ data }) => follow(data?.id ?? null));
  return () => {
    unsubscribe();
    follow(null);
  };
}
