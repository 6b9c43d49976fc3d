import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createAzureHub } from './azure.ts';
import { createGate } from './gate.ts';
import type { Group } from './group.ts';
import { createHub } from './hub.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { GroupMessage } from './message.ts';
import { createSentAway } from './sent-away.ts';
import { createTokens, type Grant, tokenLifeMs } from './token.ts';
import { type UsedTokens, usedTokensInMemory } from './used-tokens.ts';
import type { Clock, Log, Metrics } from './watch.ts';

/** The address of the hub: Azure's own form, below a prefix that a proxy in front can route by. */
export const hubPath = '/realtime/client/hubs/fpay';

export interface Realtime {
  /** A WebSocket address, good for one connection within a minute, that opens with the rights granted and no others. */
  connectionString(grant: Grant): Promise<string>;
  /** True when the path was the hub's: the socket is then taken care of, admitted or not. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Never throws and never waits: it is called from the middle of a batch of events. */
  publish(group: Group, message: GroupMessage): void;
  /** Sign-out, ban, a new role or password: sockets close with 1008 and addresses handed out before no longer open. */
  disconnectUser(user: number): void;
  /**
   * Everybody connects anew, with new addresses only. For a node that may have missed events, sign-outs among them:
   * pages then refetch, and rights are looked at again.
   */
  disconnectAll(): void;
  close(): Promise<void>;
  connections(): number;
  /**
   * Whom a publish or a disconnect reaches. The embedded hub knows only its own node's sockets, so every node must be
   * told of every event; Azure reaches everybody, so one node alone must tell it, or pages hear each event many times.
   */
  readonly reach: 'this-node' | 'everyone';
  /** Where pages connect, for the page's `connect-src`. */
  readonly origin: string;
}

export interface RealtimeOptions {
  /** Signs addresses; the same on all nodes, since a page negotiates with one and may connect to another. */
  secret: string;
  publicUrl: string;
  /** The connection string of an Azure Web PubSub resource, to use that instead of the embedded hub. */
  azure?: string | undefined;
  /** Shared by all nodes; in memory when left out. */
  usedTokens?: UsedTokens;
  clock?: Clock;
  log: Log;
  metrics?: Metrics;
  limits?: Partial<Limits>;
}

export function createRealtime(options: RealtimeOptions): Realtime {
  const { secret, publicUrl, azure, clock = { now: () => new Date() }, log, metrics } = options;
  if (azure) return createAzureHub({ connectionString: azure, log });

  const limits = { ...defaultLimits, ...options.limits };
  const { origin } = new URL(publicUrl);
  const socketOrigin = origin.replace(/^http/, 'ws');
  const tokens = createTokens({ secret, audience: `${origin}${hubPath}`, clock });
  // Twice a token's life: the node that minted it may have a clock that runs ahead of ours.
  const sentAway = createSentAway({ clock, keepMs: 2 * tokenLifeMs });
  const hub = createHub({ limits, clock, log, metrics });
  const usedTokens = options.usedTokens ?? usedTokensInMemory(clock);
  const gate = createGate({ path: hubPath, origin, tokens, usedTokens, sentAway, hub, limits, log, metrics });

  return {
    reach: 'this-node',
    origin: socketOrigin,
    connectionString: async (grant) => `${socketOrigin}${hubPath}?access_token=${await tokens.mint(grant)}`,
    handleUpgrade: gate.handleUpgrade,
    publish: hub.publish,
    disconnectUser(user) {
      // Revoke tokens before closing sockets; otherwise a client reconnects with a token that it still has.
      sentAway.add(user);
      hub.disconnectUser(user);
    },
    disconnectAll() {
      sentAway.addAll();
      hub.disconnectAll();
    },
    async close() {
      gate.shut();
      await hub.close();
    },
    connections: hub.connections,
  };
}
