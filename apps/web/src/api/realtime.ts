import { negotiate } from '@fpay/contract/realtime';
import { call } from './call.ts';
import { ApiError } from './errors.ts';
import type { PubSubClient } from './web-pubsub.ts';

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

interface Listener {
  group: string;
  onMessage: (data: unknown) => void;
  onJoined: () => void;
  onLost: (() => void) | undefined;
}

/**
 * A real-time connection with the rights of this user. Its client is loaded when first needed, after the page is shown.
 * Errors are only logged, because pages show the last known state and also poll.
 */
export function connectRealtime(rights: Rights): RealtimeConnection {
  const listeners: Listener[] = [];
  const ofGroup = (group: string) => listeners.filter((listener) => listener.group === group);
  let client: PubSubClient | null = null;
  let isStopped = false;

  async function open(): Promise<void> {
    const { createPubSubClient } = await import('./web-pubsub.ts');
    if (isStopped) return;
    client = createPubSubClient({
      address: () => addressFor(rights),
      onMessage: (group, data) => ofGroup(group).forEach(({ onMessage }) => void onMessage(data)),
      onJoined: (group) => ofGroup(group).forEach(({ onJoined }) => void onJoined()),
      onLost: () => listeners.forEach(({ onLost }) => void onLost?.()),
    });
    for (const { group } of listeners) client.join(group);
  }

  open().catch((error: unknown) => console.warn('real-time connection failed', error));
  return {
    listen(group, onMessage, onJoined, onLost) {
      listeners.push({ group, onMessage, onJoined, onLost });
      client?.join(group);
    },
    stop() {
      isStopped = true;
      client?.stop();
    },
  };
}

/** Asked for before each connection, so that each has a short-lived token of its own. */
async function addressFor({ operation, station, staff }: Rights): Promise<string | null> {
  const query = {
    ...(operation !== undefined && { operation: String(operation) }),
    ...(station !== undefined && { station }),
    ...(staff && { staff: 'true' as const }),
  };
  try {
    return (await call(negotiate, { query })).connectionString;
  } catch (error) {
    // The session has ended; a new sign-in opens a connection of its own.
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
