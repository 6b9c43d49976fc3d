import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createAzureHub } from './azure.ts';
import type { Group } from './group.ts';
import { createHub } from './hub.ts';
import { defaultHubLimits, type HubLimits } from './limits.ts';
import type { GroupMessage } from './message.ts';
import type { HubClock, HubLog, HubMetrics } from './ports.ts';
import { createRevokedTokens } from './revoked-tokens.ts';
import { createTokens, type Grant, tokenLifeMs } from './token.ts';
import { createUpgradeHandler } from './upgrade.ts';
import { type UsedTokens, usedTokensInMemory } from './used-tokens.ts';

/** The address of the hub: Azure's own form, under a prefix that a proxy can route by. */
export const hubPath = '/realtime/client/hubs/fpay';

export interface Realtime {
  /** A WebSocket address, valid for one connection within a minute, with exactly the granted rights. */
  connectionString(grant: Grant): Promise<string>;
  /** True when the path was the hub's; the hub then handles the socket, admitted or not. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Never throws and never waits, because it is called in the middle of a batch of events. */
  publish(group: Group, message: GroupMessage): void;
  /** Sign-out, ban, a new role or password: sockets close with 1008 and addresses issued before are refused. */
  disconnectUser(user: number): void;
  /**
   * All clients must reconnect with new addresses. For a node that may have missed events, sign-outs among them: pages
   * then refetch, and rights are checked again.
   */
  disconnectAll(): void;
  close(): Promise<void>;
  connections(): number;
  /**
   * Which clients a publish or a disconnect reaches. The embedded hub knows only its own node's sockets, so every node
   * must handle every event. Azure reaches all clients, so only one node may call it, or pages get each event many
   * times.
   */
  readonly reach: 'this-node' | 'everyone';
  /** Where pages connect, for the page's `connect-src`. */
  readonly origin: string;
}

export interface RealtimeOptions {
  /**
   * Signs addresses. It is the same on all nodes, because a page negotiates with one node and may connect to another.
   */
  secret: string;
  publicUrl: string;
  /** The connection string of an Azure Web PubSub resource that replaces the embedded hub. */
  azure?: string | undefined;
  /** Shared by all nodes; in memory when left out. */
  usedTokens?: UsedTokens;
  clock?: HubClock;
  log: HubLog;
  metrics?: HubMetrics;
  limits?: Partial<HubLimits>;
}

export function createRealtime(options: RealtimeOptions): Realtime {
  const { secret, publicUrl, azure, clock = { now: () => new Date() }, log, metrics } = options;
  if (azure) return createAzureHub({ connectionString: azure, log });

  const limits = { ...defaultHubLimits, ...options.limits };
  const { origin } = new URL(publicUrl);
  const socketOrigin = origin.replace(/^http/, 'ws');
  const tokens = createTokens({ secret, audience: `${origin}${hubPath}`, clock });
  // Twice a token's life: the node that minted it may have a clock that runs ahead of ours.
  const revokedTokens = createRevokedTokens({ clock, keepMs: 2 * tokenLifeMs });
  const hub = createHub({ limits, clock, log, metrics });
  const usedTokens = options.usedTokens ?? usedTokensInMemory(clock);
  const gate = createUpgradeHandler({
    path: hubPath,
    origin,
    tokens,
    usedTokens,
    revokedTokens,
    hub,
    limits,
    log,
    metrics,
  });

  return {
    reach: 'this-node',
    origin: socketOrigin,
    connectionString: async (grant) => `${socketOrigin}${hubPath}?access_token=${await tokens.mint(grant)}`,
    handleUpgrade: gate.handleUpgrade,
    publish: hub.publish,
    disconnectUser(user) {
      // Revoke tokens before closing sockets; otherwise a client reconnects with a token that it still has.
      revokedTokens.add(user);
      hub.disconnectUser(user);
    },
    disconnectAll() {
      revokedTokens.addAll();
      hub.disconnectAll();
    },
    async close() {
      gate.shut();
      await hub.close();
    },
    connections: hub.connections,
  };
}
