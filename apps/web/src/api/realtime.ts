import type { WebPubSubClient } from '@azure/web-pubsub-client';
import { negotiate } from '@fpay/contract/realtime';
import { call } from './call.ts';

export interface RealtimeConnection {
  /**
   * Joins the group and hears what it says, now and after every reconnect. Whatever was said before we joined is lost, so
   * `onJoined` is the moment to ask how things are.
   */
  listen(group: string, onMessage: (data: unknown) => void, onJoined: () => void): void;
  stop(): void;
}

interface Rights {
  /** Also the group of this one operation. */
  operation?: number;
}

/**
 * A real-time connection with the rights of this user. The library comes when first needed, after the page is drawn.
 * Trouble is only logged: pages show the last they know and refresh by other means too.
 */
export function connectRealtime({ operation }: Rights): RealtimeConnection {
  let isStopped = false;
  const client = open(operation).catch((error: unknown) => {
    console.warn('No real-time connection', error);
    return null;
  });

  return {
    async listen(group, onMessage, onJoined) {
      const opened = await client;
      if (!opened || isStopped) return;
      opened.on('group-message', ({ message }) => {
        if (message.group === group) onMessage(message.data);
      });
      const join = () =>
        opened.joinGroup(group).then(onJoined, (error: unknown) => console.warn(`Could not join ${group}`, error));
      opened.on('connected', join);
      await join();
    },
    async stop() {
      isStopped = true;
      (await client)?.stop();
    },
  };
}

async function open(operation: number | undefined): Promise<WebPubSubClient> {
  const { WebPubSubClient } = await import('@azure/web-pubsub-client');
  const client = new WebPubSubClient({
    // A function, so that each new connection gets a new short-lived token.
    getClientAccessUrl: async () => {
      const query = operation === undefined ? {} : { operation: String(operation) };
      return (await call(negotiate, { query })).connectionString;
    },
  });
  await client.start();
  return client;
}
