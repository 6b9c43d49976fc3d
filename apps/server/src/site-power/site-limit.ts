import { kyivTime } from '../platform/kyiv-time.ts';
import type { SiteConnector } from './divide.ts';

/** The limits of a site as they are stored. */
export interface SiteLimits {
  limit_w: number;
  reserve_w: number;
  hours_from: string | null;
  hours_to: string | null;
  hours_limit_w: number | null;
}

/** Devices need some seconds to obey, so a lower limit holds this much earlier and a higher one begins on time. */
const aheadMs = 10_000;

function isWithin(time: string, from: string, to: string): boolean {
  return from < to ? from <= time && time < to : time >= from || time < to;
}

function limitOn({ limit_w, hours_from, hours_to, hours_limit_w }: SiteLimits, at: Date): number {
  if (hours_from === null || hours_to === null || hours_limit_w === null) return limit_w;
  return isWithin(kyivTime(at), hours_from, hours_to) ? hours_limit_w : limit_w;
}

/** What may be taken now, with the reserve still in it. */
export function siteLimitAt(limits: SiteLimits, at: Date): number {
  return Math.min(limitOn(limits, at), limitOn(limits, new Date(at.getTime() + aheadMs)));
}

/**
 * The power that each connector may take while no server divides the site: all of them could charge, so each gets the
 * same part of the lowest limit. A connector never gets less than a car can charge with: a limit of 0 would end charges
 * at some devices, also while the server is there.
 */
export function fallbackOf(
  limits: SiteLimits,
  connectors: readonly Pick<SiteConnector, 'id' | 'ratedW' | 'leastW' | 'hasProfiles'>[],
): Map<number, number> {
  const lowestW = Math.min(limits.limit_w, limits.hours_limit_w ?? limits.limit_w) - limits.reserve_w;
  const steered = connectors.filter(({ hasProfiles }) => hasProfiles);
  const fixedW = connectors.filter(({ hasProfiles }) => !hasProfiles).reduce((sum, { ratedW }) => sum + ratedW, 0);
  let leftW = Math.max(0, lowestW - fixedW);
  const shares = new Map<number, number>();
  // The smallest first: what it cannot take is divided among the others.
  const ordered = steered.toSorted((one, other) => one.ratedW - other.ratedW);
  for (const [index, { id, ratedW, leastW }] of ordered.entries()) {
    const equalW = Math.floor(leftW / (ordered.length - index) / stepW) * stepW;
    const share = Math.min(ratedW, Math.max(leastW, equalW));
    shares.set(id, share);
    leftW = Math.max(0, leftW - share);
  }
  return shares;
}

const stepW = 100;
