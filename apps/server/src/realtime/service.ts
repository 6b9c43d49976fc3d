import { createAzureHub } from './azure.ts';
import { createHub } from './hub.ts';
import { defaultHubLimits, type HubLimits } from './limits.ts';
import type { HubClock, HubLog, HubMetrics } from './ports.ts';
import type { Realtime } from './realtime.ts';
import { createRevokedTokens } from './revoked-tokens.ts';
import { createTokens, tokenLifeMs } from './token.ts';
import { createUpgradeHandler } from './upgrade.ts';
import { type UsedTokens, usedTokensInMemory } from './used-tokens.ts';

/** The address of the hub: Azure's own form, under a prefix that a proxy can route by. */
export const hubPath = '/realtime/client/hubs/fpay';

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
