import type { Routes } from '../platform/http/routes.ts';
import type { StartedPart } from '../platform/parts.ts';
import type { Platform } from '../platform/platform.ts';
import { publishEvents } from './events.ts';
import type { Realtime } from './realtime.ts';
import { realtimeRoutes, type WatchRights } from './routes.ts';
import { createRealtime } from './service.ts';
import { createUsedTokens, usedTokensSweep } from './used-tokens.ts';

export interface RealtimeDependencies extends Pick<Platform, 'db' | 'outbox' | 'clock' | 'log' | 'metrics'> {
  secret: string;
  publicUrl: URL;
  /** The connection string of an Azure Web PubSub resource; null for the embedded hub. */
  azure: string | null;
}

/** Sends a message to the open pages of a group. Never throws and never waits. */
export type PublishToPages = Realtime['publish'];

export interface RealtimeFeature {
  hub: Realtime;
  /** Sends a message to a group, from one node where one node reaches every page. */
  publish: PublishToPages;
  /** Part of the sweep that runs once a minute on one worker. */
  sweep: StartedPart;
  routes(routes: Routes, rights: WatchRights): void;
}

/** Messages to open pages, wired. Every node of an embedded hub serves its own sockets. */
export function createRealtimeFeature(given: RealtimeDependencies): RealtimeFeature {
  const { db, outbox, clock, log, metrics, secret, publicUrl, azure } = given;
  const hub = createRealtime({
    secret,
    publicUrl: publicUrl.href,
    azure: azure ?? undefined,
    usedTokens: createUsedTokens(db),
    clock,
    log,
    metrics: {
      refused: metrics.counter('fpay_realtime_refused_total', 'Real-time connections not admitted', 'reason'),
      cutOff: metrics.counter('fpay_realtime_cut_off_total', 'Real-time connections ended by us', 'reason'),
      published: () => {},
    },
  });
  metrics.gauge('fpay_realtime_connections', 'Open real-time connections', () => hub.connections());

  return {
    hub,
    publish: publishEvents(outbox, hub),
    sweep: usedTokensSweep(db, clock),
    routes: (routes, rights) => realtimeRoutes(routes, hub, rights),
  };
}
