import { kopecks } from '@fpay/contract/money';
import { userGroup } from '@fpay/contract/realtime';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { connectRealtime, type RealtimeConnection } from '../api/realtime.ts';
import { accountQueries } from '../features/account/queries.ts';
import { rfidQueries } from '../features/rfid/queries.ts';
import { text } from '../i18n/i18n.ts';
import { notifyFirst } from '../ui/overlay/popups.ts';
import { readUserEvent, type UserEvent } from './user-events.ts';

/** While a user is signed in, changes of their wallet and cards that happen elsewhere are shown here. */
export function listenForUser(queryClient: QueryClient): () => void {
  let listening: { userId: number; connection: RealtimeConnection } | null = null;

  function onUserChange(userId: number | null): void {
    if (userId === (listening?.userId ?? null)) return;
    listening?.connection.stop();
    listening = null;
    if (userId === null) return;
    // The session may be another one than the one that turned notifications on.
    void import('../api/push.ts').then(({ refreshPush }) => refreshPush()).catch(() => undefined);
    const connection = connectRealtime({});
    connection.listen(
      userGroup(userId),
      (data) => onMessage(queryClient, data),
      () => void queryClient.invalidateQueries(accountQueries.user()),
    );
    listening = { userId, connection };
  }

  const observer = new QueryObserver(queryClient, { ...accountQueries.user(), enabled: false });
  onUserChange(observer.getCurrentResult().data?.id ?? null);
  const unsubscribe = observer.subscribe(({ data }) => onUserChange(data?.id ?? null));
  return () => {
    unsubscribe();
    onUserChange(null);
  };
}

function onMessage(queryClient: QueryClient, data: unknown): void {
  const event = readUserEvent(data);
  if (event === undefined) return;
  if (event) {
    apply(queryClient, event);
    return;
  }
  console.warn('live message invalid', data);
  // An empty wallet looks like an invalid message, so the user is loaded again.
  void queryClient.invalidateQueries(accountQueries.user());
}

function apply(queryClient: QueryClient, event: UserEvent): void {
  const { queryKey: userKey } = accountQueries.user();
  const { queryKey: rfidKey } = rfidQueries.data();
  switch (event.kind) {
    case 'balance':
      queryClient.setQueryData(userKey, (user) => user && { ...user, balance: kopecks(event.balance) });
      break;
    case 'bindRequest':
      queryClient.setQueryData(
        rfidKey,
        (rfid) =>
          rfid && {
            ...rfid,
            requests: rfid.requests.filter(({ station_number }) => station_number !== event.stationNumber),
          },
      );
      void notifyFirst(event.isBound ? text('generic:rfidBound') : text('generic:rfidNotBound'));
      break;
    case 'card':
      queryClient.setQueryData(rfidKey, (rfid) => {
        if (!rfid) return rfid;
        const others = rfid.cards.filter(({ id }) => id !== event.cardId);
        return { ...rfid, cards: event.isAdded ? [...others, { id: event.cardId, number: '' }] : others };
      });
      // The event has no card number; an open page of the cards gets it with the next answer.
      if (event.isAdded) void queryClient.invalidateQueries(rfidQueries.data());
  }
}
