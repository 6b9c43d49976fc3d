import type { WebPubSubClient } from '@azure/web-pubsub-client';
import { negotiate } from '@fpay/contract/realtime';
import { call } from './call.ts';

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
}

/**
 * A real-time connection with the rights of this user. The library is loaded when first needed, after the page is
 * shown. Errors are only logged, because pages show the last known state and also poll.
 */
export function connectRealtime(rights: Rights): RealtimeConnection {
  let isStopped = false;
  const client = open(rights).catch((error: unknown) => {
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

async function open({ operation, staff }: Rights): Promise<WebPubSubClient> {
  const { WebPubSubClient } = await import('@azure/web-pubsub-client');
  const client = new WebPubSubClient({
    // A function, so that each connection gets a new short-lived token.
    getClientAccessUrl: async () => {
      const query = {
        ...(operation === undefined ? {} : { operation: String(operation) }),
        ...(staff ? { staff: 'true' as const } : {}),
      };
      return (await call(negotiate, { query })).connectionString;
    },
  });
  await client.start();
  return client;
}
