import type { Operation } from '@fpay/contract/charging';
import { useEffect, useState } from 'react';
import { serverNow } from './server-clock.ts';
import { isShownCharging } from './status-view.ts';

/**
 * What is known of the present: `stale` means that the power is old, `silent` that the station does not answer, so that no sum
 * can be promised either.
 */
export type Freshness = 'fresh' | 'stale' | 'silent';

/** By the server's clock, with the limits of this device. */
export function freshnessOf(operation: Operation, now: number): Freshness {
  if (!isShownCharging(operation.status)) return 'fresh';
  if (!operation.is_online) return 'silent';
  // After its last reading the device only waits for the plug.
  if (operation.idle?.is_awaiting_unplug) return 'fresh';
  const seconds = (readingAgeMs(operation, now) ?? 0) / 1000;
  if (seconds >= operation.silent_after) return 'silent';
  return seconds >= operation.stale_after ? 'stale' : 'fresh';
}

/** Since the latest reading, and before the first one since power began to flow. */
export function readingAgeMs({ read_at, started_at }: Operation, now: number): number | null {
  const since = read_at ?? started_at;
  return since === null ? null : Math.max(0, now - Date.parse(since));
}

/** Looks every second, and draws again only when it has changed. */
export function useFreshness(operation: Operation): Freshness {
  const [, setSeen] = useState<Freshness>('fresh');
  useEffect(() => {
    const timer = setInterval(() => setSeen(freshnessOf(operation, serverNow())), 1000);
    return () => clearInterval(timer);
  }, [operation]);
  return freshnessOf(operation, serverNow());
}
