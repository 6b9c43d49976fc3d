import type { WebPubSubClient } from '@azure/web-pubsub-client';
import { negotiate } from '@fpay/contract/realtime';
import { call } from './call.ts';
import { ApiError } from './errors.ts';

export interface RealtimeConnection {
  /**
   * Joins the group and passes on its messages, now and after every reconnect. Messages before joining are lost, so
   * `onJoined` is the moment to refetch. `onLost` is called when the connection is gone, also before it is tried again.
   */
  listen(group: string, onMessage: (data: unknown) => void, onJoined: () => void, onLost?: () => void): void;
  stop(): void;
}

interface Rights {
  /** Also joins the group of this operation. */
  operation?: number;
  /** Also joins the group of staff. */
  staff?: boolean;
  /** Also joins the groups of the stations that this station's page lists. */
  station?: string;
}

/**
 * A real-time connection with the rights of this user. The library is loaded when first needed, after the page is
 * shown. Errors are only logged, because pages show the last known state and also poll.
 */
export function connectRealtime(rights: Rights): RealtimeConnection {
  let isStopped = false;
  const client = open(rights, () => isStopped).catch((error: unknown) => {
    console.warn('real-time connection failed', error);
    return null;
  });

  return {
    async listen(group, onMessage, onJoined, onLost) {
      const opened = await client;
      if (!opened || isStopped) return;
      opened.on('group-message', ({ message }) => {
        if (message.group === group) onMessage(message.data);
      });
      const join = () =>
        opened
          .joinGroup(group)
          .then(onJoined, (error: unknown) => console.warn('real-time group not joined', group, error));
      opened.on('connected', join);
      if (onLost) opened.on('disconnected', onLost);
      await join();
    },
    async stop() {
      isStopped = true;
      (await client)?.stop();
    },
  };
}

/** Ends the library's attempts to reconnect. */
const never = new Promise<string>(() => undefined);

async function open({ operation, station, staff }: Rights, isStopped: () => boolean): Promise<WebPubSubClient> {
  const { WebPubSubClient } = await import('@azure/web-pubsub-client');
  let hasStarted = false;
  const client = new WebPubSubClient({
    // A function, so that each connection gets a new short-lived token.
    getClientAccessUrl: async () => {
      // The library reconnects once a second for ever, also after `stop` when it was not connected at that moment.
      if (hasStarted && isStopped()) return never;
      const query = {
        ...(operation !== undefined && { operation: String(operation) }),
        ...(station !== undefined && { station }),
        ...(staff && { staff: 'true' as const }),
      };
      try {
        return (await call(negotiate, { query })).connectionString;
      } catch (error) {
        // The session has ended; a new sign-in opens a connection of its own.
        if (error instanceof ApiError && error.status === 401) return never;
        throw error;
      }
    },
  });
  await client.start();
  hasStarted = true;
  return client;
}
