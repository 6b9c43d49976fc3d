import { createRequire } from 'node:module';
import { createLanes } from './lanes.ts';
import { faultOf } from './message.ts';
import type { Realtime } from './service.ts';
import { rolesOf, tokenLifeMs } from './token.ts';
import type { Log } from './watch.ts';

/** At most so many calls to Azure at once, and so many kept: pages refetch, so a lost message is only a late one. */
const callsAtOnce = 32;
const callsWaiting = 10_000;
const callTimeoutMs = 10_000;
/** A server that stops does not wait longer for Azure to take the last messages. */
const farewellMs = 3_000;

interface Options {
  connectionString: string;
  log: Log;
  /** How long after a disconnect the user's connections are closed once more; tests shorten it. */
  secondCloseMs?: number;
}

/** Azure Web PubSub in the place of the embedded hub: the same rights, groups and messages, sockets at Azure. */
export function createAzureHub({ connectionString, log, secondCloseMs = tokenLifeMs + 1_000 }: Options): Realtime {
  const { WebPubSubServiceClient } = loadAzure();
  const service = new WebPubSubServiceClient(connectionString, 'fpay', {
    allowInsecureConnection: isLoopback(connectionString),
    retryOptions: { maxRetries: 2, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  });
  const lanes = createLanes({ width: callsAtOnce, waiting: callsWaiting });
  const secondCloses = new Map<number, NodeJS.Timeout>();

  function call(lane: string, what: string, send: (options: { abortSignal: AbortSignal }) => Promise<void>): void {
    const isKept = lanes.add(lane, () =>
      send({ abortSignal: AbortSignal.timeout(callTimeoutMs) }).catch((error: unknown) => {
        log.warn({ lane, reason: reasonOf(error) }, `Azure Web PubSub did not ${what}`);
      }),
    );
    if (!isKept) log.error({ lane }, `Azure Web PubSub is too slow: no room to ${what}`);
  }

  function closeConnectionsOf(user: number): void {
    const reason = 'Signed out or rights changed';
    call(`close-${user}`, 'close the connections of a user', (options) =>
      service.closeUserConnections(String(user), { ...options, reason }),
    );
  }

  return {
    reach: 'everyone',
    origin: new URL(service.endpoint).origin.replace(/^http/, 'ws'),

    async connectionString(grant) {
      const roles = rolesOf(grant);
      const expirationTimeInMinutes = tokenLifeMs / 60_000;
      const { url } = await service.getClientAccessToken({
        userId: String(grant.user),
        roles,
        expirationTimeInMinutes,
      });
      return url;
    },

    handleUpgrade: () => false,

    publish(group, message) {
      const fault = faultOf(message);
      if (fault) log.error({ group, type: message.type, fault }, 'real-time message not sent');
      else call(group, 'take a message', (options) => service.group(group).sendToAll(message, options));
    },

    disconnectUser(user) {
      closeConnectionsOf(user);
      // Azure cannot be told to refuse a token before it expires. Whoever came back with an old one is sent away
      // again when none can be left; whoever came back with a new one notices a reconnection at most.
      clearTimeout(secondCloses.get(user));
      const timer = setTimeout(() => {
        secondCloses.delete(user);
        closeConnectionsOf(user);
      }, secondCloseMs);
      secondCloses.set(user, timer.unref());
    },

    disconnectAll() {
      const reason = 'Messages may have been missed';
      call('close-all', 'close all connections', (options) => service.closeAllConnections({ ...options, reason }));
    },

    async close() {
      for (const timer of secondCloses.values()) clearTimeout(timer);
      await Promise.race([lanes.empty(), new Promise((resolve) => setTimeout(resolve, farewellMs).unref())]);
    },

    connections: () => 0,
  };
}

/** Only when it is asked for: Azure's library adds a quarter of a second and 30 MB to a start that mostly needs neither. */
function loadAzure(): typeof import('@azure/web-pubsub') {
  return createRequire(import.meta.url)('@azure/web-pubsub');
}

/** Azure's local emulator speaks plain HTTP; anywhere else the key's signature must not travel in the open. */
function isLoopback(connectionString: string): boolean {
  return /endpoint=http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\/?(;|$)/i.test(connectionString);
}

/** The error itself carries the request with its signed headers: only its words are fit for a log. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
}
