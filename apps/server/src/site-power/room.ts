import type { CountsAs } from '@fpay/contract/admin/network/sites';
import { isTrusted, type SiteConnector, startPowerOf } from './divide.ts';

/** Whether another charge may begin at a site. This file is pure. */

export interface SiteClaim extends SiteConnector {
  /** The open operation at this connector; null without one. */
  operation: number | null;
}

/** What a connector counts before the next start. What can be lowered counts as the least that a car can charge with. */
export function countedOf(one: SiteConnector): number {
  if (one.isRunning) return isTrusted(one) ? one.leastW : one.ratedW;
  return one.waitsFor === null ? 0 : startPowerOf(one);
}

export function countsAs(one: SiteConnector & { isProfileRefused: boolean; isOngoing: boolean }): CountsAs {
  if (!one.isRunning) return one.waitsFor === null ? 'free' : 'waiting';
  if (one.isProfileRefused) return 'no_profiles';
  if (!one.isOnline) return 'offline';
  if (!one.isOngoing) return 'ending';
  if (one.obeys === null) return 'unseen';
  return one.obeys ? 'obeys' : 'ignores';
}

/** What a connector may take at this moment. */
function heldOf(one: SiteConnector): number {
  if (!one.isRunning) return one.waitsFor === 'power' ? startPowerOf(one) : 0;
  return isTrusted(one) ? Math.max(one.capW ?? startPowerOf(one), one.askedW ?? 0) : one.ratedW;
}

interface Asking {
  connector: number;
  /** Its operation; null before it has one. Operations that were opened later do not count before its start. */
  operation: number | null;
  /** Power that is promised to others. */
  promisedW?: number;
}

/**
 * `wait`: there is room as soon as others have lowered their power. Only a start waits for that; what is asked before the
 * payment has the time of the payment.
 */
export function roomFor(
  limitW: number,
  connectors: readonly SiteClaim[],
  { connector, operation, promisedW = 0 }: Asking,
): 'yes' | 'wait' | 'full' {
  const own = connectors.find(({ id }) => id === connector);
  if (!own) return 'yes';
  const isLater = (one: SiteClaim) =>
    operation !== null && (one.waitsFor === 'money' || one.waitsFor === 'start') && (one.operation ?? 0) > operation;
  const others = connectors.filter((one) => one !== own && !isLater(one));
  const ownW = startPowerOf(own);
  const sumOf = (of: (one: SiteClaim) => number) => others.reduce((sum, one) => sum + of(one), 0);
  if (sumOf(countedOf) + ownW + promisedW > limitW) return 'full';
  return operation !== null && sumOf(heldOf) + ownW > limitW ? 'wait' : 'yes';
}
