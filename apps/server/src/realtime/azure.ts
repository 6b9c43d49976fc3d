import { createRequire } from 'node:module';
import { createKeyedQueue } from './keyed-queue.ts';
import { messageFaultOf } from './message.ts';
import type { HubLog } from './ports.ts';
import type { Realtime } from './realtime.ts';
import { rolesOf, tokenLifeMs } from './token.ts';

/** How many calls to Azure run at once and how many wait. Pages refetch, so a lost message only means a late update. */
const callsAtOnce = 32;
const callsWaiting = 10_000;
const callTimeoutMs = 10_000;
/** A server that stops waits no longer than this for Azure to accept the last messages. */
const farewellMs = 3_000;

interface Options {
  connectionString: string;
  log: HubLog;
  /** The delay after which a disconnected user's connections are closed a second time; tests shorten it. */
  secondCloseMs?: number;
}

/** Azure Web PubSub instead of the embedded hub: the same rights, groups and messages, but the sockets are at Azure. */
export function createAzureHub({ connectionString, log, secondCloseMs = tokenLifeMs + 1_000 }: Options): Realtime {
  const { WebPubSubServiceClient } = loadAzure();
  const service = new WebPubSubServiceClient(connectionString, 'fpay', {
    allowInsecureConnection: isLoopback(connectionString),
    retryOptions: { maxRetries: 2, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  });
  const queue = createKeyedQueue({ width: callsAtOnce, waiting: callsWaiting });
  const secondCloses = new Map<number, NodeJS.Timeout>();

  function call(key: string, what: string, send: (options: { abortSignal: AbortSignal }) => Promise<void>): void {
    const isKept = queue.add(key, () =>
      send({ abortSignal: AbortSignal.timeout(callTimeoutMs) }).catch((error: unknown) => {
        log.warn({ group: key, call: what, reason: reasonOf(error) }, 'Azure call failed');
      }),
    );
    if (!isKept) log.error({ group: key, call: what }, 'Azure queue full');
  }

  function closeConnectionsOf(user: number): void {
    const reason = 'Signed out or rights changed';
    call(`close-${user}`, 'closeUserConnections', (options) =>
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
      const fault = messageFaultOf(message);
      if (fault) log.error({ group, type: message.type, fault }, 'real-time message not sent');
      else call(group, 'sendToAll', (options) => service.group(group).sendToAll(message, options));
    },

    disconnectUser(user) {
      closeConnectionsOf(user);
      // Azure cannot refuse a token before it expires. A client that reconnected with an old token is disconnected
      // again when none can be left; a client with a new token only sees one more reconnect.
      clearTimeout(secondCloses.get(user));
      const timer = setTimeout(() => {
        secondCloses.delete(user);
        closeConnectionsOf(user);
      }, secondCloseMs);
      secondCloses.set(user, timer.unref());
    },

    disconnectAll() {
      const reason = 'Messages may have been missed';
      call('close-all', 'closeAllConnections', (options) => service.closeAllConnections({ ...options, reason }));
    },

    async close() {
      for (const timer of secondCloses.values()) clearTimeout(timer);
      await Promise.race([queue.empty(), new Promise((resolve) => setTimeout(resolve, farewellMs).unref())]);
    },

    connections: () => 0,
  };
}

/**
 * Loaded only when Azure is configured, because its library adds a quarter of a second and 30 MB to a start that mostly
 * needs neither.
 */
function loadAzure(): typeof import('@azure/web-pubsub') {
  return createRequire(import.meta.url)('@azure/web-pubsub');
}

/** Azure's local emulator uses plain HTTP; anywhere else the signature must not be sent unencrypted. */
function isLoopback(connectionString: string): boolean {
  return /endpoint=http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\/?(;|$)/i.test(connectionString);
}

/** The error contains the request with its signed headers, so only its message may be logged. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
}
